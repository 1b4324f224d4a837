/**
 * How wide texts are on screen. Each character is measured once, in the page's own font at the size and the heavier of
 * the weights that tables use, so that a tick costs a few look-ups and no layout. The font is loaded before the page is
 * mounted (main.ts).
 */
const advances = new Map<string, number>()
/** As often as a character stands in what is measured: widths are rounded to fractions of a pixel. */
const repeats = 16
/** What ids, numbers and times are made of, from the space to the tilde. */
const usual = new Set(Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)))

/** All in one layout: each one forces the page's. */
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

/** Room in CSS pixels that `text` takes in a cell of a table; never less than it really takes. */
export function textPx(text: string): number {
  if (advances.size === 0) measure(usual)
  let px = 0
  for (const character of text) {
    if (!advances.has(character)) measure(new Set(text))
    px += advances.get(character) ?? 0
  }
  return px
}
