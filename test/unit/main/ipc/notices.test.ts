import { expect, test } from 'vitest'
import { Notices } from '../../../../main/ipc/notices'
import type { Notice } from '../../../../protocol/desktop'

function said() {
  const notices = new Notices((error) => {
    throw error
  })
  let shown: Notice[] = []
  notices.events.on('changed', (all) => (shown = all))
  return { notices, messages: () => shown.map(({ message }) => message), first: () => shown[0]?.id ?? '' }
}

test('a topic has one notice, which replaces the former', () => {
  const { notices, messages } = said()
  notices.say('disk', 'Not saved: theme.')
  notices.add('Another one.')
  notices.say('disk', 'Not saved: theme, density.')
  expect(messages()).toEqual(['Another one.', 'Not saved: theme, density.'])
  notices.say('disk', undefined)
  expect(messages()).toEqual(['Another one.'])
})

test('a dismissed notice of a topic returns only with another message', () => {
  const { notices, messages, first } = said()
  notices.say('disk', 'Not saved: theme.')
  notices.dismiss(first())
  notices.say('disk', 'Not saved: theme.')
  expect(messages()).toEqual([])
  notices.say('disk', 'Not saved: density.')
  expect(messages()).toEqual(['Not saved: density.'])
})
