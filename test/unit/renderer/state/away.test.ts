import { expect, test } from 'vitest'
import type { AwayReport } from '../../../../protocol/away'
import type { Outcome } from '../../../../core/model'
import { AwayNews } from '../../../../renderer/state/away.svelte'
import { firedEvent, levelDraft } from '../../../support/sample-alerts'
import { sampleAway, sampleAwayReport } from '../../../support/sample-away'

type Answer = Outcome<AwayReport | null>

function open() {
  const questions: ((answer: Answer) => void)[] = []
  const news = new AwayNews({ getAwayReport: () => new Promise((resolve) => questions.push(resolve)) })
  const answer = async (firedCount: number) => {
    questions.at(-1)?.({ ok: true, value: { ...sampleAwayReport, firedCount } })
    await new Promise(setImmediate)
  }
  return { news, questions, answer }
}

const firedAt = (number: number, publishedAtMs: number) =>
  firedEvent(number, levelDraft(), { inputs: { value: '1', publishedAtMs } })

test('one report is fetched at a time, and once more after further changes', async () => {
  const { news, questions, answer } = open()
  for (let version = 1; version <= 5; version++) news.follow({ away: { ...sampleAway, version }, inbox: [] })
  expect(questions).toHaveLength(1)
  await answer(1)
  expect(news.report?.firedCount).toBe(1)
  expect(questions).toHaveLength(2)
  await answer(2)
  expect(news.report?.firedCount).toBe(2)
  expect(questions).toHaveLength(2)
})

test('an event of the absence fetches a new report, a later one does not', async () => {
  const { news, questions, answer } = open()
  news.follow({ away: sampleAway, inbox: [] })
  await answer(1)
  const later = firedAt(41, sampleAway.toMs + 1)
  news.follow({ away: sampleAway, inbox: [later] })
  expect(questions).toHaveLength(1)
  news.follow({ away: sampleAway, inbox: [firedAt(42, sampleAway.toMs), later] })
  expect(questions).toHaveLength(2)
})

test('a report that arrives after its dismissal is not shown', async () => {
  const { news, answer } = open()
  news.follow({ away: sampleAway, inbox: [] })
  news.follow({ away: null, inbox: [] })
  await answer(1)
  expect(news.report).toBeUndefined()
})
