/**
 * How wide texts are on screen. Each character is measured once, in the page's own font at the size and the heavier of
 * the weights that tables use, so that a tick costs a few look-ups and no layout. The font is loaded before the page is
 * mounted (main.ts).
 */
const advances = new Map<string, number>()
/** As often as a character stands in what is measured: widths are rounded to fractions of a pixel. */
const repeats = 16

function measure(character: string): number {
  const probe = document.createElement('span')
  probe.className = 'text-probe'
  probe.textContent = character.repeat(repeats)
  document.body.append(probe)
  const { width } = probe.getBoundingClientRect()
  probe.remove()
  return width / repeats
}

/** Room in CSS pixels that `text` takes in a cell of a table; never less than it really takes. */
export function textPx(text: string): number {
  let px = 0
  for (const character of text) {
    let advance = advances.get(character)
    if (advance === undefined) {
      advance = measure(character)
      advances.set(character, advance)
    }
    px += advance
  }
  return px
}
