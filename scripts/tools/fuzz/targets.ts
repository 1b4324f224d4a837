/** All readers of external text, each as a function that throws if a guarantee is broken. */
import assert from 'node:assert/strict'
import * as v from 'valibot'
import { readPolicy } from '../../../main/alerts/policy/notification-policy'
import { readRuleFile, writeRuleFile } from '../../../main/alerts/rule-file'
import { evaluate } from '../../../core/evaluation/evaluate'
import type { Observation } from '../../../core/evaluation/observation'
import { initialState, newMemory, stateSchema } from '../../../core/evaluation/state'
import { isRecord, parseJson } from '../../../main/base/sanitize'
import { readDeepLink } from '../../../main/desktop/deep-link'
import { decodeFrame } from '../../../main/feed/decode'
import { gateTo } from '../../../main/ipc/gate'
import { readListFile } from '../../../main/lists/list-file'
import { readTickerText } from '../../../main/lists/ticker-text'
import * as rest from '../../../main/rest/decode'
import { readSettings, toDocument } from '../../../main/storage/settings'
import { isSecretDocument } from '../../../main/storage/secret-keeper'
import { commandNames, pageHosts, type CommandHandlers, type PageName } from '../../../protocol/commands/contract'
import type { AlertDraft, AlertRule } from '../../../core/alerts'

export const targetNames = ['decoder', 'rest', 'stored', 'ruleFile', 'bridge', 'ruleEngine'] as const
export type TargetName = (typeof targetNames)[number]

const nowMs = Date.UTC(2026, 10, 23)
const maxFrames = 40
const decoders = [
  rest.decodeIndex,
  rest.decodeIndices,
  rest.decodeDetail,
  rest.decodeValues,
  rest.decodeLatestValues,
  rest.decodeSummary,
  rest.decodeSummaries,
  rest.decodeConditions,
  rest.decodeCorporateActions,
]
const context = () => ({ nowMs })

function ruleOf(draft: AlertDraft): AlertRule {
  return { ...draft, id: 'r', version: 1, createdAtMs: nowMs }
}

/** The value after a round trip through a file. -0 becomes 0. */
function kept(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown
}

function assertSame(actual: unknown, expected: unknown): void {
  assert.deepEqual(kept(actual), kept(expected))
}

function readStored(text: string): void {
  const document = parseJson(text)
  const read = readSettings(document)
  if (read.kind === 'ok') {
    const again = readSettings(kept(toDocument(read.settings, read.spreadsheetTokenHash)))
    assertSame(again, { ...read, dropped: [] })
  }
  isSecretDocument(document)
  const policy = readPolicy(document)
  if (policy !== undefined) assertSame(readPolicy(kept(policy)), policy)
  v.safeParse(stateSchema, document)
  readListFile(text)
  readTickerText(text)
  readDeepLink(text)
}

function readRules(text: string): void {
  const read = readRuleFile(text, context)
  if (!read.ok) {
    assert.ok(read.problem.message.length > 0)
    return
  }
  assertSame(readRuleFile([...writeRuleFile(read.value.map(ruleOf))].join(''), context), read)
}

const gate = gateTo({
  handlers: new Proxy(
    {},
    {
      get: (_target, name) => (args: unknown) => {
        structuredClone(args)
        return { ok: true, value: name }
      },
    },
  ) as CommandHandlers,
  log: { info: () => undefined, warn: () => undefined, error: () => undefined },
})

/** Reads a list of calls, each a command name and its arguments. */
async function callBridge(text: string): Promise<void> {
  const document = parse(text)
  for (const [name, args] of pairsOf(document)) {
    const known = commandNames.find((each) => each === name)
    if (known === undefined) continue
    for (const page of Object.keys(pageHosts) as PageName[]) {
      const caller = { page, isTopFrame: true, url: `app://${pageHosts[page]}/index.html` }
      const answer: unknown = await gate(known, caller, args)
      assert.ok(isRecord(answer) && typeof answer['ok'] === 'boolean')
      // The handlers here never fail.
      assert.notEqual((answer['problem'] as { code?: string } | undefined)?.code, 'internal')
    }
  }
}

function pairsOf(document: unknown): [unknown, unknown][] {
  return Array.isArray(document)
    ? document.flatMap((each: unknown) => (Array.isArray(each) ? [[each[0], each[1]]] : []))
    : []
}

/** Parses like the page, without the size limits of external input. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Reads `{ rules, frames }`: an alert file, and stream messages for its rules. */
function runRules(text: string): void {
  const document = parseJson(text)
  if (!isRecord(document)) return
  const rules = readRuleFile(JSON.stringify(document['rules'] ?? null), context)
  if (!rules.ok || !Array.isArray(document['frames'])) return
  const seen = (document['frames'] as unknown[]).slice(0, maxFrames).flatMap((frame) => {
    const observation = observationOf(JSON.stringify(frame))
    return observation === undefined ? [] : [observation]
  })
  for (const draft of rules.value.slice(0, 4)) {
    const rule = ruleOf(draft)
    const memory = newMemory()
    let state = initialState('wait')
    for (const each of seen) {
      const verdict = evaluate(rule, state, memory, each)
      state = verdict.state
      assertSame(v.parse(stateSchema, kept(state)), state)
      assert.match(verdict.words, /\.$/)
    }
  }
}

function observationOf(text: string): Observation | undefined {
  const frame = decodeFrame(text)
  switch (frame.kind) {
    case 'value':
      return { kind: 'value', publication: frame.publication, cadence: 'PER_SECOND' }
    case 'constituents':
      return { kind: 'constituents', publication: frame.publication, cadence: 'PER_SECOND' }
    case 'corporateAction':
      return { kind: 'corporateAction', action: frame.action }
    default:
      return undefined
  }
}

export const targets: Record<TargetName, (text: string) => void | Promise<void>> = {
  decoder: (text) => assert.match(decodeFrame(text).kind, /^[a-zA-Z]+$/),
  rest: (text) => {
    rest.decodeEnvelope(text)
    const payload = parseJson(text)
    const inner = isRecord(payload) ? payload['payload'] : undefined
    for (const decode of decoders) for (const each of [payload, inner]) decode(each)
  },
  stored: readStored,
  ruleFile: readRules,
  bridge: callBridge,
  ruleEngine: runRules,
}

/** Property names that a fault added to built-in prototypes. */
export function pollution(): string[] {
  return [Object.prototype, Array.prototype, String.prototype, Function.prototype].flatMap((each) => Object.keys(each))
}
