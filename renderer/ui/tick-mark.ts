import { untrack } from 'svelte'
import type { Attachment } from 'svelte/attachments'
import { compareDecimals, parseDecimal } from '../../protocol/decimal'

const markedForMs = 400
const stillMotion = matchMedia('(prefers-reduced-motion: reduce)')
/** Digits that are coloured for a moment, by direction; controls.css says how. */
const highlights = { rise: new Highlight(), fall: new Highlight() }
for (const [name, highlight] of Object.entries(highlights)) CSS.highlights.set(name, highlight)

type Tick = keyof typeof highlights

function tickOf(before: string, now: string): Tick | undefined {
  const [from, to] = [parseDecimal(before), parseDecimal(now)]
  if (from === undefined || to === undefined) return undefined
  return { '-1': 'fall' as const, '0': undefined, '1': 'rise' as const }[`${compareDecimals(to, from)}`]
}

/** The text that a cell shows as its number. */
function shownText(element: Element): Text | undefined {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  while (texts.nextNode())
    if (texts.currentNode instanceof Text && texts.currentNode.data.trim() !== '') return texts.currentNode
  return undefined
}

/** Where the digits begin that changed: what stands before them is the same in both, place for place. */
function changedFrom(before: string, now: string): number {
  if (before.search(/\.|$/) !== now.search(/\.|$/)) return 0
  let at = 0
  while (at < now.length && before[at] === now[at]) at++
  return at
}

/**
 * Marks a change of `value`, a published decimal, on an element of class `ticking` for 400 ms: the digits from the first
 * that changed in the colour of the direction, and in a cell an arrow beside them. Nothing is laid out and nothing animates; with
 * reduced motion nothing is marked. The first value of all is no change.
 */
export function markChanges(value: () => string | undefined): Attachment<HTMLElement> {
  let last = untrack(value)
  let lastText: string | undefined
  let unmark: (() => void) | undefined
  return (element) => {
    const next = value()
    const before = last
    const beforeText = lastText
    const text = shownText(element)
    last = next
    lastText = text?.data
    if (before === undefined || next === undefined || before === next || stillMotion.matches) return
    unmark?.()
    const tick = tickOf(before, next)
    if (tick === undefined || text === undefined) return
    const digits = new StaticRange({
      startContainer: text,
      startOffset: changedFrom(beforeText ?? '', text.data),
      endContainer: text,
      endOffset: text.data.trimEnd().length,
    })
    highlights[tick].add(digits)
    element.dataset['tick'] = tick
    const timer = setTimeout(() => unmark?.(), markedForMs)
    unmark = () => {
      clearTimeout(timer)
      highlights[tick].delete(digits)
      delete element.dataset['tick']
      unmark = undefined
    }
  }
}
