/** How to read the app's tables in a program. docs/guide/assistants-and-spreadsheets.md has the same steps. */
export const spreadsheetNames = { excel: 'Excel', libreOffice: 'LibreOffice', pandas: 'pandas' } as const

export type SpreadsheetName = keyof typeof spreadsheetNames

/** The text, and where the user puts it. It includes the token if known. */
export function spreadsheetRecipe(
  name: SpreadsheetName,
  { port, token = 'TOKEN' }: { port: number; token?: string | undefined },
): { where: string; text: string } {
  const address = `http://127.0.0.1:${port}/latest.csv`
  switch (name) {
    case 'excel':
      return {
        where:
          'Data, Get Data, From Other Sources, Blank Query, Advanced Editor. Every column stays text, digit by digit.',
        text: `let\n  Source = Csv.Document(Web.Contents("${address}", [Query = [token = "${token}"]]), [Delimiter = ",", Encoding = 65001]),\n  Table = Table.PromoteHeaders(Source)\nin\n  Table`,
      }
    case 'libreOffice':
      return {
        where:
          'Sheet, External Links. Paste it as the URL and press Enter. Choose UTF-8, comma, and Text for the column “value”.',
        text: `${address}?token=${token}`,
      }
    case 'pandas':
      return {
        where: 'In Python. A string keeps every digit. Use decimal.Decimal to calculate with it.',
        text: `import pandas\n\nvalues = pandas.read_csv("${address}?token=${token}", dtype={"value": "string"})`,
      }
  }
}
