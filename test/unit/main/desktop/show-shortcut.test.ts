import { expect, test } from 'vitest'
import { ShowShortcut } from '../../../../main/desktop/show-shortcut'

function start(taken: string[] = []) {
  const held = new Map<string, () => void>()
  const seen: string[] = []
  const shortcut = new ShowShortcut(
    {
      register: (keys, run) => {
        if (taken.includes(keys)) return false
        held.set(keys, run)
        return true
      },
      unregister: (keys) => held.delete(keys),
    },
    { run: () => seen.push('run'), onTaken: (keys) => seen.push(`taken ${keys}`) },
  )
  return { shortcut, held, seen }
}

test('holds the keys while they are wanted, one shortcut at a time', () => {
  const { shortcut, held, seen } = start()
  shortcut.follow({ showShortcut: 'off' })
  expect([...held.keys()]).toEqual([])
  shortcut.follow({ showShortcut: 'Ctrl+Alt+I' })
  held.get('Ctrl+Alt+I')?.()
  expect(seen).toEqual(['run'])
  shortcut.follow({ showShortcut: 'Alt+Shift+I' })
  expect([...held.keys()]).toEqual(['Alt+Shift+I'])
  shortcut.dispose()
  expect([...held.keys()]).toEqual([])
})

test('reports once keys of another program, and does not release them', () => {
  const { shortcut, held, seen } = start(['Ctrl+Alt+I'])
  held.set('Ctrl+Alt+I', () => undefined)
  shortcut.follow({ showShortcut: 'Ctrl+Alt+I' })
  shortcut.follow({ showShortcut: 'Ctrl+Alt+I' })
  expect(seen).toEqual(['taken Ctrl+Alt+I'])
  shortcut.follow({ showShortcut: 'off' })
  expect([...held.keys()]).toEqual(['Ctrl+Alt+I'])
})
