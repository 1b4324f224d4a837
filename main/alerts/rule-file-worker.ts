/** Thread that reads a file of rules, which may be long. It sends one part for each request. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Outcome } from '../../core/model'
import { readUserFile } from '../storage/user-file'
import { maxRuleFileBytes, readRuleFile, type RuleFilePart, type RuleFileTask } from './rule-file'

/** Rules copied to the main thread in one turn, which takes some milliseconds there. */
const partLength = 500

const port = parentPort
if (port !== null) {
  const say = (reply: Outcome<RuleFilePart>) => port.postMessage(reply)
  const { path, nowMs, catalogue } = workerData as RuleFileTask
  const byId = new Map(catalogue.map((info) => [info.id, info]))
  const text = await readUserFile(path, maxRuleFileBytes)
  const read = text.ok ? readRuleFile(text.value, (id) => ({ nowMs, index: byId.get(id) })) : text
  if (read.ok) {
    let place = 0
    const answer = () => {
      const drafts = read.value.slice(place, place + partLength)
      place += partLength
      say({ ok: true, value: { drafts, isLast: place >= read.value.length } })
    }
    port.on('message', answer)
    answer()
  } else say(read)
}
