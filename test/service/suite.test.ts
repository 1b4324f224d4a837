import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Simulator } from '../../simulator/server'
import { startSimulator } from '../../simulator/server'

const root = join(import.meta.dirname, '../..')

/** Runs one file of the conformance suite against a service. The suite gets only its addresses and key. */
function runAgainst({ wsUrl, restUrl, keyId }: Simulator, secret: string, file: string): Promise<Outcome> {
  // In one word with the flag, because a secret may begin with a dash.
  const address = ['--ws', wsUrl, '--rest', restUrl, '--key-id', keyId, `--key-secret=${secret}`]
  // Empty, so that the inner tests are not counted with these.
  const env = { ...process.env, INDEXWATCH_TEST_COUNTS: '', NO_COLOR: '1' }
  return new Promise((done) => {
    execFile(process.execPath, ['scripts/service.js', ...address, file], { cwd: root, env }, (error, output) =>
      done({ code: error === null ? 0 : Number(error.code), output }),
    )
  })
}

interface Outcome {
  readonly code: number
  readonly output: string
}

test('suite: it runs against any service and skips what the service does not offer', { timeout: 60_000 }, async () => {
  const simulator = await startSimulator()
  const { code, output } = await runAgainst(simulator, simulator.keySecret, 'key')
  await simulator.close()
  expect(code).toBe(0)
  expect(output).toMatch(/Tests +5 passed \| 2 skipped/)
})

test('suite: it fails without a running service', { timeout: 60_000 }, async () => {
  const simulator = await startSimulator()
  await simulator.close()
  const { code, output } = await runAgainst(simulator, simulator.keySecret, 'reference-data')
  expect(code).toBe(1)
  expect(output).toMatch(/Tests +8 failed/)
})
