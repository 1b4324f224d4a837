// @ts-check
// The minimal way to store values durably: a file of two hundred values, atomically replaced and synced each second.
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { app } from 'electron'

const folder = process.argv.at(-1) ?? ''
const path = join(folder, 'values.json')

/** @param {number} second */
async function replace(second) {
  const values = Array.from({ length: 200 }, (_, at) => ({ id: `INDEX${at}`, value: `${second}.00`, time: Date.now() }))
  const file = await open(`${path}.tmp`, 'w')
  await file.writeFile(JSON.stringify(values))
  await file.sync()
  await file.close()
  await rename(`${path}.tmp`, path)
}

void app.whenReady().then(async () => {
  for (let second = 0; ; second++) {
    await replace(second)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
})
