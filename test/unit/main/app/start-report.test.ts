import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startReport } from '../../../../main/app/start-report'
import { FakeClock } from '../../../support/fake-clock'
import { temporaryFolder } from '../../../support/temporary-folder'

test('takes an empty picture again until something is drawn', async () => {
  const clock = new FakeClock()
  const path = join(temporaryFolder(), 'report.png')
  const printed: string[] = []
  const pictures = [Buffer.alloc(0), Buffer.alloc(0), Buffer.from('drawn')]
  const report = startReport({
    clock,
    path,
    ids: () => ['BRTI'],
    screenshot: () => Promise.resolve(pictures.shift()),
    print: (line) => printed.push(line),
  })
  report({ id: 'BRTI', value: '1.00', publishedAtMs: clock.wallMs(), source: 'stream' })
  await expect
    .poll(() => {
      clock.advance(2_000)
      return printed
    })
    .toContain(`screenshot: ${path}`)
  expect(await readFile(path, 'utf8')).toBe('drawn')
})
