import type { Page } from '@playwright/test'
import { commandNames, type CommandHandlers, type CommandName } from '../../protocol/commands/contract'
import type { WindowSnapshot } from '../../protocol/desktop'
import { FakeDesktop, makeWork } from '../support/fake-desktop'

/** A script that runs before the page's own and provides invoke and subscribe, like the real transport. */
function pageScript(names: readonly string[]): string {
  return `
    const listeners = new Set()
    window.pushFromFake = (update) => { for (const listener of listeners) listener(update) }
    window.indexwatch = {
      onUpdate: (listener) => { listeners.add(listener); return () => listeners.delete(listener) },
      ...Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, (args) => window.invokeFake(name, args)])),
    }`
}

/** The fake that answers each tab. A tab keeps its exposed function, while each test installs another fake. */
const fakes = new WeakMap<Page, FakeDesktop>()

/** Installs a fake app for a page. Call it before the page is opened. */
export async function installFake(
  page: Page,
  snapshot: WindowSnapshot,
  handlers: Partial<CommandHandlers> = {},
): Promise<FakeDesktop> {
  const fake = new FakeDesktop(
    snapshot,
    (update) => page.evaluate(`window.pushFromFake(${JSON.stringify(update)})`),
    handlers,
  )
  const isNew = !fakes.has(page)
  fakes.set(page, fake)
  if (isNew) {
    await page.exposeFunction('invokeFake', (name: CommandName, args: never) => fakes.get(page)?.invoke(name, args))
    await page.addInitScript({ content: pageScript(commandNames) })
  }
  return fake
}

/** Installs a fake whose list commands work. */
export async function installWorkingFake(page: Page, snapshot: WindowSnapshot): Promise<FakeDesktop> {
  const fake = await installFake(page, snapshot)
  makeWork(fake)
  return fake
}
