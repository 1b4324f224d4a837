import { expect, test } from 'vitest'
import { eventually } from '../support/eventually'
import { openFeed } from '../support/open-feed'
import type { Subscription } from '../../core/model'

const constituents = (id: string) => ({ stream: 'constituents', id, maxResolution: 'PER_SECOND' }) as const
const wanted: Subscription[] = [
  { stream: 'value', id: 'BRTI', maxResolution: 'PER_SECOND' },
  constituents('NCI'),
  constituents('BIG'),
  constituents('UC5_RTI_TR'),
]

/** The header of a frame of five megabytes, which exceeds the limit whatever follows. */
const tooLarge = Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 0x50, 0, 0])

function basket(id: string): object {
  const parts = [{ constituent: 'BTC', value: '1', weightPercent: '100' }]
  return { type: 'constituents', time: Date.UTC(2023, 10, 1, 12), id, value: '1', constituents: parts }
}

type Opened = Awaited<ReturnType<typeof openFeed>>

async function openBreaking(more: readonly Subscription[] = []) {
  const opened = await openFeed({ wanted: [...more, ...wanted] })
  await opened.connect()
  return opened
}

/** Ids whose constituents were requested since the last `info`. */
function askedNow({ service }: Opened): string[] {
  const commands = service.commands as { type: string; stream?: string; id?: string }[]
  const since = commands.slice(commands.findLastIndex(({ type }) => type === 'info'))
  return since.flatMap(({ stream, id = '' }) => (stream === 'constituents' ? [id] : []))
}

/** Starts the planned attempt, and waits until the service has received every request. */
async function connectAgain({ service, clock, plannedRetryMs }: Opened): Promise<void> {
  const heardBefore = service.commands.length
  clock.advance(await plannedRetryMs())
  await eventually(() =>
    expect(service.commands.slice(heardBefore)).toContainEqual(expect.objectContaining({ id: 'UC5_RTI_TR' })),
  )
}

/** The service answers in order until BIG, whose message ends the connection. Then the app reconnects. */
async function breakOnce(opened: Opened): Promise<void> {
  opened.service.send(basket('NCI'))
  opened.service.sendBytes(tooLarge)
  await connectAgain(opened)
}

test('a subscription whose message ends the connection three times is left out', async () => {
  const opened = await openBreaking()
  const { heard, service, session } = opened
  for (let count = 1; count <= 2; count++) await breakOnce(opened)
  expect(askedNow(opened)).toEqual(['NCI', 'BIG', 'UC5_RTI_TR'])
  expect(heard.refused).toEqual([])
  await breakOnce(opened)
  expect(askedNow(opened)).toEqual(['NCI', 'UC5_RTI_TR'])
  expect(heard.refused).toMatchObject([
    { stream: 'constituents', id: 'BIG', reason: expect.stringMatching(/exceeded 4 MB three times/) as string },
  ])
  expect(session.status()).toMatchObject({ state: 'live', streamCount: 3 })
  service.sendValue('BRTI', '79767.34')
  await eventually(() => expect(heard.published).toHaveLength(1))
  session.setWanted(wanted.slice(0, 1))
  session.setWanted(wanted)
  expect(askedNow(opened).filter((id) => id === 'BIG')).toEqual([])
  // A later subscriber is told too.
  expect(heard.refused).toHaveLength(2)
})

test('twin: a subscription that answers in between is kept', async () => {
  const opened = await openBreaking()
  for (let count = 1; count <= 4; count++) {
    await breakOnce(opened)
    const received = new Promise((resolve) => opened.session.events.on('constituentsPublished', resolve))
    opened.service.send(basket('BIG'))
    await received
    // All are requested again, so that the next break has the same candidates.
    opened.service.drop()
    await connectAgain(opened)
  }
  expect(opened.heard.refused).toEqual([])
  expect(askedNow(opened)).toContain('BIG')
})

test('an unreadable answer counts as an answer', async () => {
  const opened = await openBreaking([constituents('ODD')])
  for (let count = 1; count <= 3; count++) {
    opened.service.send({ ...basket('ODD'), value: {} })
    await breakOnce(opened)
  }
  expect(opened.heard.refused).toMatchObject([{ stream: 'constituents', id: 'BIG' }])
})
