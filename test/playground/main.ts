/** Two pages: the list of stories, and one story (`?story=…`). */
import { mount } from 'svelte'
import { commandNames, type DesktopApi } from '../../protocol/commands/contract'
import type { WindowUpdate } from '../../protocol/desktop'
import type { Json } from '../../protocol/json'
import App from '../../renderer/app.svelte'
import IndexWindow from '../../renderer/index-window.svelte'
import { createPage } from '../../renderer/state/page'
import '../../renderer/styles/index.css'
import { FakeDesktop, makeWork } from '../support/fake-desktop'
import { sampleNowMs, sampleSnapshot } from '../support/sample-window'
import { prepareFake, storyNamed, storyNames, type Story } from './stories'
import StoryList from './story-list.svelte'

type Theme = 'light' | 'dark' | 'system'

/** Starts the clock at the time of the samples. */
function beginAtSample(): void {
  const now = Date.now.bind(Date)
  const beganMs = now()
  Date.now = () => sampleNowMs + now() - beganMs
}

function keyEvent(keys: string): KeyboardEvent {
  const parts = keys.split('+')
  return new KeyboardEvent('keydown', { key: parts.at(-1) ?? '', ctrlKey: parts.includes('Control'), bubbles: true })
}

function buttonNamed(name: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>('button, summary')].find(
    (button) => button.ariaLabel === name || button.textContent.trim() === name,
  )
}

function show(story: Story, theme: Theme): void {
  const { view = '', ownWindowOf, snapshot = sampleSnapshot, press, click, item, tab, stored = {}, live } = story
  beginAtSample()
  location.hash = view
  const known = snapshot()
  known.state.settings.theme = theme
  const listeners = new Set<(update: Json<WindowUpdate>) => void>()
  const fake = new FakeDesktop(known, (update) => {
    for (const listener of listeners) listener(update)
  })
  makeWork(fake)
  prepareFake(fake, story)
  // For use in the console: `fake.push({ state: { … } })`.
  Object.assign(window, { fake })
  const commands = commandNames.map((name) => [name, (args: never) => fake.invoke(name, args)])
  const api = {
    ...(Object.fromEntries(commands) as DesktopApi),
    onUpdate: (listener: (update: Json<WindowUpdate>) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const page = createPage(api)
  if (ownWindowOf === undefined) mount(App, { target: document.body, props: { page } })
  else {
    const onclose = () => console.info('The window closes')
    mount(IndexWindow, { target: document.body, props: { page, indexId: ownWindowOf, onclose } })
  }
  for (const [key, text] of Object.entries(stored)) localStorage.setItem(key, text)
  setTimeout(() => {
    if (press !== undefined) window.dispatchEvent(keyEvent(press))
    if (click !== undefined) buttonNamed(click)?.click()
    if (item !== undefined) setTimeout(() => buttonNamed(item)?.click(), 100)
    if (tab !== undefined) buttonNamed(tab)?.click()
    live?.(fake)
  }, 300)
}

const asked = new URLSearchParams(location.search)
const theme = (['light', 'dark'] as const).find((each) => each === asked.get('theme')) ?? 'system'
const name = storyNames.find((each) => each === asked.get('story'))

await document.fonts.load('13px "Inter Variable"').catch(console.warn)
if (name !== undefined) show(storyNamed(name), theme)
else {
  document.documentElement.dataset['theme'] = theme
  mount(StoryList, { target: document.body })
}
