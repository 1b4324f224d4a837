/** Opens tables in LibreOffice. Runs in `npm run test:deep`, which installs it. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { recordTable, tableFile } from '../../main/base/table-files'
import { decimalSignOf } from '../../main/base/region'
import type { ProgramRecord } from '../../core/records'
import type { TableFormat } from '../../core/table-formats'
import { temporaryFolder } from '../support/temporary-folder'

const run = promisify(execFile)
const nowMs = Date.UTC(2026, 10, 3)

interface SeenCell {
  /** `float`, `date` or `string`. */
  type: string
  /** What the user sees. */
  shown: string
}

/** Opens the file and returns the cells of its first sheet. `filter` is how it is read. */
async function opened(file: Buffer, name: string, filter: readonly string[] = []): Promise<SeenCell[][]> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, name), file)
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  await run('soffice', [
    profile,
    '--headless',
    ...filter,
    '--convert-to',
    'fods',
    '--outdir',
    folder,
    join(folder, name),
  ])
  const document = readFileSync(join(folder, name.replace(/\.\w+$/, '.fods')), 'utf8')
  const [, sheet = ''] = /<table:table .*?>(.*?)<\/table:table>/s.exec(document) ?? []
  return Array.from(sheet.matchAll(/<table:table-row.*?<\/table:table-row>/gs), ([row]) =>
    Array.from(
      row.matchAll(/<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs),
      ([, attributes = '', content = '']) => {
        const seen: SeenCell = {
          type: /office:value-type="(\w+)"/.exec(attributes)?.[1] ?? '',
          shown: Array.from(content.matchAll(/<text:p>(.*?)<\/text:p>/gs), ([, text]) => text).join('\n'),
        }
        const count = Number(/number-columns-repeated="(\d+)"/.exec(attributes)?.[1] ?? 1)
        return Array.from({ length: Math.min(count, 50) }, () => seen)
      },
    ).flat(),
  )
}

const published = [
  ...['79767.30', '-0.10', '0.00001350', '123456789012345', '0.000', '1000', '3500.5'],
  ...['1234567890123456', '79767.34000000000', '-0.00', '12345678901234567890.123456789012345678'],
]
const keptCount = 7
const times = [0, 999, Date.UTC(2026, 10, 2, 9, 0, 0, 47), Date.UTC(2026, 1, 28, 23, 59, 59, 999), Date.UTC(2026, 2, 1)]
const texts = ['=1+1', '+49', '@x', '-x', 'Größe; "€"', '1E5 Desk', '\u202eabc']
const shownTexts = ['=1+1', '+49', '@x', '-x', 'Größe; "€"', '1E5 Desk', 'abc']
const rows = Array.from({ length: 11 }, (_, at): ProgramRecord => ({
  id: 'BRTI',
  value: published[at % published.length],
  published: times[at % times.length],
  isCarriedForward: at % 2 === 0,
  connection: texts[at % texts.length],
}))

async function fileOf(format: TableFormat, locale: string): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  const options = { format, decimalSign: decimalSignOf({ LANG: locale }), title: 'BRTI', nowMs }
  for await (const piece of tableFile([recordTable('Values', 'value', [rows])], options))
    pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

/** The columns of `value`, `published`, `publishedMs` and `connection`. */
const places = { value: 3, published: 4, ms: 5, connection: 12 }

/** The numbers that LibreOffice gives the languages of `soffice --infilter`. */
const regions = [
  ['de_DE.UTF-8', 1031, 59],
  ['fr_FR.UTF-8', 1036, 59],
  ['en_US.UTF-8', 1033, 44],
] as const

describe('LibreOffice', () => {
  test('shows each cell of a workbook as published', { timeout: 120_000 }, async () => {
    const [, ...seen] = await opened(await fileOf('xlsx', 'en_US.UTF-8'), 'values.xlsx')
    expect(seen.slice(0, rows.length).map((cells) => cells[places.value])).toEqual(
      published.map((shown, at) => ({ type: at < keptCount ? 'float' : 'string', shown })),
    )
    for (const [at, { published: atMs = 0 }] of rows.entries()) {
      const shown = new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')
      expect(seen[at]?.[places.published]).toEqual({ type: 'date', shown })
      expect(seen[at]?.[places.ms]).toEqual({ type: 'float', shown: String(atMs % 1_000) })
      expect(seen[at]?.[places.connection]).toEqual({ type: 'string', shown: asXml(shownTexts[at % texts.length]) })
    }
  })

  test.each(regions)(
    'reads CSV for Excel of %s as numbers, times and texts',
    { timeout: 120_000 },
    async (locale, language, separator) => {
      const filter = `--infilter=Text - txt - csv (StarCalc):${separator},34,76,1,,${language},false,true`
      const [head, ...seen] = await opened(await fileOf('csv-excel', locale), 'values.csv', [filter])
      expect(head?.[0]?.shown).toBe('id')
      const sign = decimalSignOf({ LANG: locale })
      expect(seen.slice(0, rows.length).map((cells) => cells[places.value]?.type)).toEqual(
        published.map((_, at) => (at < keptCount ? 'float' : 'string')),
      )
      for (const [at, { value = '', published: atMs = 0 }] of rows.entries()) {
        const shown = seen[at]?.[places.value]?.shown ?? ''
        // Without number formats, zeros at the end are not shown.
        if (at < keptCount) expect(Number(shown.replace(sign, '.'))).toBe(Number(value))
        else expect(shown).toBe(asXml(`'${value}`))
        expect(seen[at]?.[places.published]?.type).toBe('date')
        expect(seen[at]?.[places.ms]).toEqual({ type: 'float', shown: String(atMs % 1_000) })
        const text = shownTexts[at % texts.length] ?? ''
        expect(seen[at]?.[places.connection]).toEqual({
          type: 'string',
          shown: asXml(/^[=+@-]/.test(text) ? `'${text}` : text),
        })
      }
    },
  )
})

function asXml(text = ''): string {
  return text.replaceAll('&', '&amp;').replaceAll("'", '&apos;').replaceAll('"', '&quot;')
}
