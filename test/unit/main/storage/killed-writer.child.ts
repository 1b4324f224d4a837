/** Writes one version after the other until it is killed, in the way and at the place it is given. */
import { openSync, writeSync } from 'node:fs'
import { AtomicJsonFile } from '../../../../main/storage/atomic-file'
import { SystemClock } from '../../../../main/base/clock'

const [path = '', manner] = process.argv.slice(2)
const filling = Array.from({ length: 20_000 }, (_, at) => `${at}.00`)

if (manner === 'atomic') await writeForEver()
else writeHalf()

async function writeForEver(): Promise<void> {
  const file = new AtomicJsonFile({ path, clock: new SystemClock(), maxBytes: 2 ** 20 })
  await file.read()
  for (let count = 1; ; count++) {
    await file.write({ count, filling, again: count })
    if (count === 2) process.stdout.write('writing\n')
  }
}

/** In place and, to be killed for sure in between, in two halves. */
function writeHalf(): void {
  const text = JSON.stringify({ count: 1, filling, again: 1 })
  writeSync(openSync(path, 'w'), text.slice(0, text.length / 2))
  process.stdout.write('writing\n')
  setInterval(() => undefined, 1_000)
}
