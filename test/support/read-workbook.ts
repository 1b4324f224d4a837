import { fromBuffer } from 'yauzl'

/** A cell as it is stored: its text, and the format in which a spreadsheet shows it. */
export interface ReadCell {
  text: string
  isText: boolean
  format: string
  isItalic: boolean
}

/** The sheets of an Excel workbook by their names. Rejects if the archive is damaged. Empty cells are undefined. */
export async function readWorkbook(bytes: Buffer): Promise<Record<string, (ReadCell | undefined)[][]>> {
  const parts = await unzip(bytes)
  const part = (path: string) => parts[path]?.toString('utf8') ?? ''
  const styles = part('xl/styles.xml')
  const codes = new Map(
    [...styles.matchAll(/numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id, code]) => [id, code]),
  )
  const cellStyles = /<cellXfs.*<\/cellXfs>/.exec(styles)?.[0] ?? ''
  const formats = [...cellStyles.matchAll(/fontId="(\d)" numFmtId="(\d+)"/g)]
  const sheets = [...part('xl/workbook.xml').matchAll(/<sheet name="([^"]*)" sheetId="(\d+)"/g)]
  return Object.fromEntries(
    sheets.map(([, name, number]) => {
      const rows = part(`xl/worksheets/sheet${number}.xml`).matchAll(/<row r="\d+">(.*?)<\/row>/gs)
      return [
        name,
        Array.from(rows, ([, row = '']) => {
          const cells: (ReadCell | undefined)[] = []
          for (const [, letters = '', style, type, content] of row.matchAll(
            /<c r="([A-Z]+)\d+" s="(\d+)"( t="inlineStr")?>(?:<is><t xml:space="preserve">|<v>)(.*?)<\/(?:t|v)>/gs,
          )) {
            const [, font, code] = formats[Number(style)] ?? []
            cells[columnOf(letters)] = {
              text: unescaped(content ?? ''),
              isText: type !== undefined,
              format: codes.get(code) ?? '',
              isItalic: font === '2',
            }
          }
          return Array.from(cells)
        }),
      ]
    }),
  )
}

const columnOf = (letters: string) => [...letters].reduce((sum, each) => sum * 26 + each.charCodeAt(0) - 64, 0) - 1

const characters: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' }
const unescaped = (xml: string) => xml.replace(/&\w+;/g, (entity) => characters[entity] ?? entity)

/** The files of an archive. Checks sizes and checksums. */
async function unzip(bytes: Buffer): Promise<Record<string, Buffer>> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error !== null) {
        reject(error)
        return
      }
      const files: Record<string, Buffer> = {}
      zip.on('error', reject)
      zip.on('end', () => resolve(files))
      zip.on('entry', (entry) => {
        zip.openReadStream(entry, (refused, stream) => {
          if (refused !== null) {
            reject(refused)
            return
          }
          const chunks: Buffer[] = []
          stream.on('data', (chunk: Buffer) => chunks.push(chunk))
          stream.on('error', reject)
          stream.on('end', () => {
            files[entry.fileName] = Buffer.concat(chunks)
            zip.readEntry()
          })
        })
      })
      zip.readEntry()
    })
  })
}
