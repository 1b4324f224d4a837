import { untrack } from 'svelte'
import type { Attachment } from 'svelte/attachments'
import { compareDecimals, parseDecimal } from '../../protocol/decimal'

/**
 * A mark lasts some 400 ms: it ends with a change that is drawn from `minMs` on, to be drawn once with it; when none comes,
 * by itself.
 */
const marked = { minMs: 350, maxMs: 500 }
const stillMotion = matchMedia('(prefers-reduced-motion: reduce)')
/** Digits that are coloured for a moment, by direction; controls.css says how. */
const highlights = { rise: new Highlight(), fall: new Highlight() }
for (const [name, highlight] of Object.entries(highlights)) CSS.highlights.set(name, highlight)

type Tick = keyof typeof highlights

interface Mark {
  sinceMs: number
  end: () => void
}

/** In the order in which they end. One timer is enough, and what ends with a change is drawn in one frame with it. */
const marks = new Set<Mark>()
let timer: ReturnType<typeof setTimeout> | undefined

function endMarks(): void {
  const nowMs = performance.now()
  for (const { sinceMs, end } of marks) {
    if (nowMs - sinceMs < marked.minMs) break
    end()
  }
  clearTimeout(timer)
  const [next] = marks
  timer = next && setTimeout(endMarks, next.sinceMs + marked.maxMs - nowMs)
}

function tickOf(before: string, now: string): Tick | undefined {
  const [from, to] = [parseDecimal(before), parseDecimal(now)]
  if (from === undefined || to === undefined) return undefined
  return { '-1': 'fall' as const, '0': undefined, '1': 'rise' as const }[`${compareDecimals(to, from)}`]
}

/** The texts that a cell shows as its number. */
function shownTexts(element: Element): Text[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode())
    if (walker.currentNode instanceof Text && walker.currentNode.data.trim() !== '') texts.push(walker.currentNode)
  return texts
}

/** Where the digits begin that changed: what stands before them is the same in both, place for place. */
function changedFrom(before: string, now: string): number {
  if (before.search(/\.|$/) !== now.search(/\.|$/)) return 0
  let at = 0
  while (at < now.length && before[at] === now[at]) at++
  return at
}

/** The characters from `from` to the end of these texts. */
function rangeFrom(texts: readonly Text[], from: number): StaticRange | undefined {
  const last = texts.at(-1)
  let offset = from
  for (const text of texts) {
    if (last !== undefined && offset < text.data.length)
      return new StaticRange({
        startContainer: text,
        startOffset: offset,
        endContainer: last,
        endOffset: last.data.trimEnd().length,
      })
    offset -= text.data.length
  }
  return undefined
}

/**
 * Marks a change of `value`, a published decimal, on an element of class `ticking` for some 400 ms: the digits from the first
 * that changed in the colour of the direction, and an arrow beside them where the element is a `dd` or has a `tick-place` in
 * it. Nothing is laid out and nothing animates; with reduced motion nothing is marked. The first value of all is no change.
 */
export function markChanges(value: () => string | undefined): Attachment<HTMLElement> {
  let last = untrack(value)
  let lastText: string | undefined
  let mark: Mark | undefined
  return (element) => {
    const next = value()
    const before = last
    const beforeText = lastText
    const texts = shownTexts(element)
    const text = texts.map(({ data }) => data).join('')
    last = next
    lastText = text
    if (before === undefined || next === undefined || before === next || stillMotion.matches) return
    mark?.end()
    const tick = tickOf(before, next)
    const digits = rangeFrom(texts, changedFrom(beforeText ?? '', text))
    if (tick === undefined || digits === undefined) return
    highlights[tick].add(digits)
    element.dataset['tick'] = tick
    element.dataset['lastTick'] = tick
    const made: Mark = {
      sinceMs: performance.now(),
      end: () => {
        highlights[tick].delete(digits)
        delete element.dataset['tick']
        marks.delete(made)
      },
    }
    mark = made
    marks.add(made)
    endMarks()
  }
}
