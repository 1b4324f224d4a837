/**
 * Measures texts without a layout. The width of each character is measured once, in the page's font at the size and the
 * heavier weight of tables. The font is loaded before the page is mounted (main.ts).
 */
const advances = new Map<string, number>()
/** Each character is measured this many times in a row, because widths are rounded to fractions of a pixel. */
const repeats = 16
/** The printable ASCII characters, of which ids, numbers and times consist. */
const usual = new Set(Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)))

/** Measures all characters in one layout of the page. */
function measure(characters: ReadonlySet<string>): void {
  const probes = [...characters].map((character) => {
    const probe = document.createElement('span')
    probe.className = 'text-probe'
    probe.textContent = character.repeat(repeats)
    return { character, probe }
  })
  document.body.append(...probes.map(({ probe }) => probe))
  for (const { character, probe } of probes) advances.set(character, probe.getBoundingClientRect().width / repeats)
  for (const { probe } of probes) probe.remove()
}

/** The width of `text` in a cell of a table, in CSS pixels. Never less than the real width. */
export function textPx(text: string): number {
  if (advances.size === 0) measure(usual)
  let px = 0
  for (const character of text) {
    if (!advances.has(character)) measure(new Set(text))
    px += advances.get(character) ?? 0
  }
  return px
}
