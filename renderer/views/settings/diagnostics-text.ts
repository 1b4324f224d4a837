import type { Diagnostics } from '../../../protocol/responses'
import { stateWords } from '../../../core/connection-words'
import { streamsText, unreadableText } from '../../format/connection-words'

/** A command takes at most 16,384 characters. The difference is for its field names. */
export const maxCharacters = 16_000
const cutShort = '\n(cut short)'

/** The time since app start in two units: `2 d 3 h`, `3 h 12 min`, `4 min 5 s`. */
export function uptimeText(uptimeMs: number): string {
  const seconds = Math.max(0, Math.floor(uptimeMs / 1_000))
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const days = Math.floor(hours / 24)
  if (days > 0) return `${days} d ${hours % 24} h`
  if (hours > 0) return `${hours} h ${minutes % 60} min`
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`
}

interface Part {
  title: string
  lines: string[]
}

/** Times are in UTC, because support may be in another time zone. */
function iso(atMs: number): string {
  return new Date(atMs).toISOString()
}

function fixedParts(found: Diagnostics, nowMs: number): Part[] {
  const { versions, connections, counters, startedAtMs } = found
  return [
    {
      title: 'Indexwatch diagnostics',
      lines: [
        `taken ${iso(nowMs)}, running for ${uptimeText(nowMs - startedAtMs)}`,
        ...Object.entries(versions).map(([name, version]) => `${name} ${version}`),
      ],
    },
    {
      title: 'Connections',
      lines: connections.map(({ name, state, streamCount, unreadableCount, problem }) =>
        [name, stateWords[state], streamsText(streamCount), unreadableText(unreadableCount), problem]
          .filter((text) => text !== undefined)
          .join(', '),
      ),
    },
    { title: 'Counters', lines: Object.entries(counters).map(([name, count]) => `${name} ${count}`) },
  ]
}

function textOf(parts: readonly Part[]): string {
  return parts.map(({ title, lines }) => [title, ...(lines.length === 0 ? ['none'] : lines)].join('\n')).join('\n\n')
}

function shortened(lines: readonly string[], left: number): string[] {
  const gone = lines.length - left
  if (gone === 0) return [...lines]
  return [`(${gone} older ${gone === 1 ? 'line' : 'lines'} left out)`, ...lines.slice(gone)]
}

/**
 * The diagnostics as one readable text of at most `limit` characters. If it is too long, the oldest line of the longer
 * log is left out until it fits, and the text says how many lines are missing.
 */
export function diagnosticsText(found: Diagnostics, nowMs: number, limit = maxCharacters): string {
  const parts = fixedParts(found, nowMs)
  const log = found.connectionLog.map(({ atMs, connection, text }) => `${iso(atMs)} ${connection}: ${text}`)
  const { problems } = found
  let [logLeft, problemsLeft] = [log.length, problems.length]
  const compose = () =>
    textOf([
      ...parts,
      { title: 'Connection log', lines: shortened(log, logLeft) },
      { title: 'Recent problems', lines: shortened(problems, problemsLeft) },
    ])
  let text = compose()
  while (text.length > limit && logLeft + problemsLeft > 0) {
    if (logLeft >= problemsLeft) logLeft -= 1
    else problemsLeft -= 1
    text = compose()
  }
  return text.length <= limit ? text : text.slice(0, limit - cutShort.length) + cutShort
}
