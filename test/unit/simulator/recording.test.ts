import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readRecording } from '../../../simulator/recording'
import { get, openSimulator, connect } from '../../service/stream-client'
import { temporaryFolder } from '../../support/temporary-folder'

const startMs = Date.UTC(2026, 10, 20, 14)
const iso = (seconds: number) => new Date(startMs + seconds * 1_000).toISOString()

function file(text: string): string {
  const path = join(temporaryFolder(), 'day.csv')
  writeFileSync(path, text)
  return path
}

const day = [
  '\ufeffIndex,Name,Published,Amended,Value,Carried_over',
  `BRTI,"CME CF, Bitcoin",${iso(0)},,101.10,`,
  `BRTI,"CME CF, Bitcoin",${iso(2)},,102.00,`,
  `BRTI,"CME CF, Bitcoin",${iso(1)},,125.00,`,
  `BRTI,"CME CF, Bitcoin",${iso(1)},${iso(4)},125.50,`,
  `BRTI,"CME CF, Bitcoin",${iso(2.2)},,1.35e2,`,
  `BNBUSD_RTI,BNB,${iso(1)},,7,yes`,
  '',
].join('\r\n')

/** The values of BRTI that happened between two seconds. */
async function between(fromS: number, toS: number) {
  const recording = await readRecording(file(day))
  return recording.between('BRTI', startMs + fromS * 1_000, startMs + toS * 1_000)?.map(({ value }) => value)
}

describe('a recording', () => {
  test('has its values in the order in which they happened, each amendment at its own time', async () => {
    expect(await between(-1, 5)).toEqual(['101.10', '125.00', '102.00', '1.35e2', '125.50'])
    expect(await between(0, 1)).toEqual(['125.00'])
    expect(await between(3, 4)).toEqual(['125.50'])
    expect(await between(4, 99)).toEqual([])
  })

  test('has of each time what stood at a moment', async () => {
    const recording = await readRecording(file(day))
    const at = (nowS: number) =>
      recording
        .period('BRTI', { afterMs: startMs, untilMs: startMs + nowS * 1_000, nowMs: startMs + nowS * 1_000 })
        ?.map(({ value }) => value)
    expect(at(3)).toEqual(['125.00', '102.00', '1.35e2'])
    expect(at(4)).toEqual(['125.50', '102.00', '1.35e2'])
    expect(recording.latest('BRTI', startMs + 9_000, 'PER_SECOND')?.value).toBe('102.00')
    expect(recording.latest('BRTI', startMs + 9_000, 'PER_200MS')?.value).toBe('1.35e2')
    expect(recording.latest('BNBUSD_RTI', startMs, 'PER_SECOND')).toEqual({
      ...{ time: startMs + 1_000, value: '7', repeatOfPreviousValue: true },
    })
    expect(recording.latest('ETHUSD_RTI', startMs, 'PER_SECOND')).toBeUndefined()
    expect([recording.firstMs, recording.lastMs, recording.ids]).toEqual([
      startMs,
      startMs + 2_200,
      ['BRTI', 'BNBUSD_RTI'],
    ])
  })

  test.each([
    ['', /has no values/],
    ['index,published,value\r\n', /has no column amended/],
    [`index,published,amended,value\nBRTI,${iso(0)},,1.2.3\n`, /line 2 is no value: BRTI/],
    ['index,published,amended,value\nBRTI,yesterday,,1\n', /line 2 is no value/],
  ])('%j is answered with what is wrong', async (text, message) => {
    await expect(readRecording(file(text))).rejects.toThrow(message)
  })

  test('a file that is not there is said so', async () => {
    await expect(readRecording('/no/such.csv')).rejects.toThrow(/cannot be read/)
  })
})

test('is played through the stream and REST of the service', async () => {
  const recording = await readRecording(file(day))
  const { simulator, clock } = await openSimulator({ recording, startMs })
  const stream = await connect(simulator)
  stream.subscribe('BRTI', 'PER_200MS')
  await stream.settled()
  // A long pause, as at a high speed, loses nothing.
  clock.advance(15_000)
  const values = (await stream.settled())
    .map((text) => JSON.parse(text) as { type: string; value?: string })
    .flatMap(({ type, value }) => (type === 'value' && value !== undefined ? [value] : []))
  expect(values).toEqual(['101.10', '125.00', '102.00', '1.35e2', '125.50'])
  const { body } = await get(simulator, '/api/v1/values?id=BRTI&maxResolution=PER_200MS')
  expect((body.payload as { value: string }[]).map(({ value }) => value)).toEqual([
    '101.10',
    '125.50',
    '102.00',
    '1.35e2',
  ])
})
