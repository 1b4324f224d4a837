import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { commandNames } from '../../../protocol/commands/contract'
import { firstSettings, toDocument } from '../../../main/storage/settings'
import { sampleTerms } from '../../../test/support/sample-alerts'
import type { TargetName } from './targets'

/** Texts that each reached new code when they were found. One file for each target, one JSON string a line. */
const corpusFolder = join(import.meta.dirname, '..', '..', '..', 'test', 'golden', 'fuzz')

export function corpusPath(target: TargetName): string {
  return join(corpusFolder, `${target}.jsonl`)
}

/** The texts kept by earlier runs. */
export function readCorpus(target: TargetName): string[] {
  const lines = readFileSync(corpusPath(target), 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as string)
}

const golden = join(import.meta.dirname, '..', '..', '..', 'test', 'golden')

function goldenTexts(): string[] {
  const names = readdirSync(golden).filter((name) => name.endsWith('.json') && name !== 'index.json')
  return names.map((name) => readFileSync(join(golden, name), 'utf8').trim())
}

/** A rule file for each condition, each with another optional field. */
function ruleFiles(): object[] {
  const more = [
    { repeat: { mode: 'once' }, holdMs: 60_000, countsRepeats: true },
    { repeat: { mode: 'whileTrue', everyMinutes: 1 }, note: 'Ask the desk', group: 'A' },
    { repeat: { mode: 'daily', max: 2 }, cooldownMs: 60_000, webhookUrl: 'https://hooks.example.com/a' },
    { hours: { days: ['mon', 'sun'], from: '22:00', to: '06:00', timeZone: 'Europe/London' } },
    { expiresAt: { atMs: Date.UTC(2027, 0), timeZone: 'UTC' } },
  ]
  return sampleTerms.map((terms, at) => {
    const rule = { indexId: 'BRTI', terms, repeat: { mode: 'everyCrossing' }, severity: 'normal' }
    return { format: 'indexwatch-alerts', version: 1, rules: [{ ...rule, ...more[at % more.length] }] }
  })
}

/** The inputs of a first run. */
export function seeds(target: TargetName): string[] {
  switch (target) {
    case 'decoder':
    case 'rest':
      return goldenTexts()
    case 'stored':
      return [
        ...[toDocument(firstSettings()), { version: 2, secrets: { a: { keyId: 'k', encrypted: 'AA==' } } }].map(text),
        text({
          format: 'indexwatch-watchlists',
          version: 1,
          lists: [{ name: 'A', entries: [{ id: 'BRTI', maxResolution: 'PER_SECOND' }] }],
        }),
        text({ snoozes: [{ scope: { kind: 'all' }, untilMs: 1e12 }], rules: { r: { notifiedAtMs: [1e12] } } }),
        'indexwatch://index/BRTI',
      ]
    case 'ruleFile':
      return ruleFiles().map(text)
    case 'bridge':
      return commandNames.map((name) =>
        text([
          [name, {}],
          [name, { ruleId: 'a', indexId: 'BRTI', listId: 'watchlist' }],
        ]),
      )
    case 'ruleEngine':
      return ruleFiles().map((rules, at) => {
        const frames = goldenTexts().flatMap(frameOf)
        return text({ rules, frames: Array.from({ length: 3 }, (_, next) => frames[(at + next) % frames.length]) })
      })
  }
}

function frameOf(line: string): unknown[] {
  try {
    const frame = JSON.parse(line) as { type?: unknown }
    return ['value', 'constituents', 'active_corporate_action'].includes(String(frame.type)) ? [frame] : []
  } catch {
    return []
  }
}

function text(value: unknown): string {
  return JSON.stringify(value)
}
