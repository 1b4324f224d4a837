/**
 * Takes pictures of the window and of the tray's icon in each way of not judging alerts, with the tooltip and the text of the
 * notification beside them: `npm run pictures -- alerts-off`. They go to `alerts-off/` in the system's temporary folder, or to the folder
 * in INDEXWATCH_PICTURES. Look at each.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect, test } from '@playwright/test'
import { addressOf } from '../../simulator/address'
import { startSimulator } from '../../simulator/server'
import { AppBench, connectionVariables } from '../support/app-bench'
import { endDisks, waysOfNotJudging } from '../support/not-judging'
import { levelDraft } from '../support/sample-alerts'

const folder = process.env['INDEXWATCH_PICTURES'] ?? join(tmpdir(), 'alerts-off')

/** ARGB pixels, as a tray has them, eight times as large. */
function pngOf(argb: Buffer, scale = 8): Buffer {
  const side = Math.sqrt(argb.length / 4)
  const wide = side * scale
  const rows = Buffer.alloc((wide * 4 + 1) * wide)
  for (let y = 0; y < wide; y++) {
    for (let x = 0; x < wide; x++) {
      const from = (Math.floor(y / scale) * side + Math.floor(x / scale)) * 4
      const [alpha = 0, red = 0, green = 0, blue = 0] = argb.subarray(from, from + 4)
      rows.set([red, green, blue, alpha], y * (wide * 4 + 1) + 1 + x * 4)
    }
  }
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(data.length)
    ends.writeUInt32BE(crcOf(body), 4)
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(wide)
  head.writeUInt32BE(wide, 4)
  head.set([8, 6], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function crcOf(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

test('alerts that are not judged', async () => {
  test.setTimeout(600_000)
  mkdirSync(folder, { recursive: true })
  const simulator = await startSimulator({})
  const said: string[] = []
  try {
    for (const way of waysOfNotJudging) {
      const bench = await AppBench.create()
      const variables = connectionVariables(addressOf(simulator))
      let end = () => Promise.resolve()
      try {
        const first = await bench.launch([], variables)
        const page = await first.watch()
        await page.expectState('Live')
        const made = await page.ask('createAlert', { draft: levelDraft('1'), whenAlreadyMet: 'wait' })
        expect(made.ok).toBe(true)
        await first.quit()
        await bench.peer.nextTrayItem()
        end = await way.begin(bench.userData)
        const running = await bench.launch([], way.isOfSettings === true ? {} : variables)
        const watch = await running.watch()
        await bench.peer.nextTrayItem()
        const { summary, body } = await bench.peer.nextNotification()
        await expect.poll(() => bench.peer.trayTooltip()).toContain(way.words)
        writeFileSync(join(folder, `${way.name}-tray.png`), pngOf(await bench.peer.trayIcon()))
        await watch.page.waitForTimeout(1_500)
        await watch.page.screenshot({ path: join(folder, `${way.name}-window.png`) })
        await watch.page.evaluate(() => {
          location.hash = '#alerts'
        })
        await watch.page.waitForTimeout(1_000)
        await watch.page.screenshot({ path: join(folder, `${way.name}-alerts.png`) })
        const tooltip = await bench.peer.trayTooltip()
        said.push(`${way.name}\nNotification: ${summary}\n  ${body}\nTooltip: ${tooltip.split('\n').join('\n  ')}\n`)
      } finally {
        await end()
        endDisks(bench.userData)
        await bench.dispose()
      }
    }
  } finally {
    await simulator.close()
    writeFileSync(join(folder, 'said.txt'), said.join('\n'))
  }
  console.log(folder)
})
