import { EventEmitter } from 'node:events'
import type { BrowserWindow } from 'electron'
import { expect, test, vi } from 'vitest'
import { restartLimit } from '../../../../main/base/call-limit'
import { followVisibility, reloadAfterCrash } from '../../../../main/desktop/window'
import { FakeClock } from '../../../support/fake-clock'
import { RecordedLog } from '../../../support/recorded-log'

vi.mock('electron', () => ({ BrowserWindow: {}, dialog: {}, nativeTheme: {}, screen: {} }))

class FakeWindow extends EventEmitter {
  readonly webContents = Object.assign(new EventEmitter(), { reload: vi.fn() })
  readonly destroy = vi.fn()
  isVisible = () => true
  isMinimized = () => false
  isDestroyed = () => this.destroy.mock.calls.length > 0

  crash(reason = 'crashed'): void {
    this.webContents.emit('render-process-gone', {}, { reason, exitCode: 1 })
  }
}

const asWindow = (window: FakeWindow) => window as unknown as BrowserWindow

test('a crashed page is reloaded, and after too many crashes its window is destroyed', () => {
  const window = new FakeWindow()
  const log = new RecordedLog()
  const onGivenUp = vi.fn(() => expect(window.destroy).not.toHaveBeenCalled())
  reloadAfterCrash(asWindow(window), { name: 'The ticker', crashes: restartLimit(new FakeClock()), log, onGivenUp })
  window.crash('clean-exit')
  expect(window.webContents.reload).not.toHaveBeenCalled()
  for (let time = 0; time < 3; time++) window.crash()
  expect(window.webContents.reload).toHaveBeenCalledTimes(3)
  expect(onGivenUp).not.toHaveBeenCalled()
  window.crash()
  window.crash()
  expect(window.webContents.reload).toHaveBeenCalledTimes(3)
  expect(onGivenUp).toHaveBeenCalledTimes(1)
  expect(window.destroy).toHaveBeenCalledTimes(1)
  expect(log.texts('error')).toEqual(Array(4).fill('The ticker crashed'))
})

test('a minimized window counts as hidden', () => {
  const window = new FakeWindow()
  const onVisibility = vi.fn()
  followVisibility(asWindow(window), onVisibility)
  window.emit('show')
  window.isMinimized = () => true
  window.emit('minimize')
  window.isMinimized = () => false
  window.emit('restore')
  window.isVisible = () => false
  window.emit('hide')
  expect(onVisibility.mock.calls).toEqual([[true], [false], [true], [false]])
})
