import { inflateSync } from 'node:zlib'

const operators =
  /\/ActualText \((?<said>\\?.)\)|\/(?<name>F\d+) [\d.]+ Tf|<(?<glyphs>[\dA-F]+)> Tj|\b(?<end>ET|EMC)\b/g

/**
 * The texts of a PDF written by Chromium, in drawing order. A glyph's character is its ActualText, which tabular
 * figures have. Other glyphs use the table of their font.
 */
export function pdfText(pdf: Buffer): string {
  const file = pdf.toString('latin1')
  const objects = new Map(
    [...file.matchAll(/(?:^|\n)(\d+) 0 obj\s(.*?)endobj/gs)].map(([, number = '', body = '']) => [number, body]),
  )
  const characters = new Map<string, ReadonlyMap<string, string>>()
  for (const body of objects.values()) {
    const fonts = /\/Font <<(.*?)>>/s.exec(body)?.[1] ?? ''
    for (const [, name = '', number = ''] of fonts.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const table = /\/ToUnicode (\d+) 0 R/.exec(objects.get(number) ?? '')?.[1] ?? ''
      characters.set(name, charactersOf(streamOf(objects.get(table) ?? '')))
    }
  }
  let text = ''
  for (const body of objects.values()) {
    let font: ReadonlyMap<string, string> | undefined
    let isSaid = false
    for (const { groups = {} } of streamOf(body).matchAll(operators)) {
      const { said, end, name, glyphs } = groups
      if (said !== undefined) text += said.replace(/^\\/, '')
      if (said !== undefined || end === 'EMC') isSaid = said !== undefined
      else if (end === 'ET') text += '\n'
      else if (name !== undefined) font = characters.get(name)
      else if (!isSaid) text += font?.get(glyphs ?? '') ?? ''
    }
  }
  return text
}

function streamOf(body: string): string {
  const [, head = '', bytes = ''] = /^(.*?)stream\r?\n(.*)endstream/s.exec(body) ?? []
  if (!head.includes('/FlateDecode')) return bytes
  const length = Number(/\/Length (\d+)/.exec(head)?.[1] ?? bytes.length)
  return inflateSync(Buffer.from(bytes.slice(0, length), 'latin1')).toString('latin1')
}

/** Single glyphs and ranges of glyphs. */
function charactersOf(table: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const character = (code: number) => String.fromCodePoint(code)
  for (const [, lines = ''] of table.matchAll(/beginbfchar(.*?)endbfchar/gs)) {
    for (const [, glyph = '', code = ''] of lines.matchAll(/<([\dA-F]+)> <([\dA-F]+)>/g)) {
      found.set(glyph, character(parseInt(code, 16)))
    }
  }
  for (const [, lines = ''] of table.matchAll(/beginbfrange(.*?)endbfrange/gs)) {
    for (const [, from = '', to = '', code = ''] of lines.matchAll(/<([\dA-F]+)> <([\dA-F]+)> <([\dA-F]+)>/g)) {
      for (let at = parseInt(from, 16); at <= parseInt(to, 16); at++) {
        const glyph = at.toString(16).toUpperCase().padStart(from.length, '0')
        found.set(glyph, character(parseInt(code, 16) + at - parseInt(from, 16)))
      }
    }
  }
  return found
}
