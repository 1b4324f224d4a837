import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AppBench } from '../support/app-bench'
import { expect, test } from '../support/app-test'

/** Mounting needs root on Linux, as in the project's CI. */
const canMount = process.platform === 'linux' && process.getuid?.() === 0

/** Runs `script` and then the app in a new mount namespace, and records the app's output. */
async function startAfter(bench: AppBench, script: string) {
  const temporary = join(bench.folder, 'temporary')
  await mkdir(temporary)
  const report = `--report=${join(bench.folder, 'report.png')}`
  const child = bench.spawn(['--demo', report], { TMPDIR: temporary }, [
    ...['unshare', '--mount', 'sh', '-ec', `${script}; exec "$@"`, 'sh'],
  ])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => {
      output += data.toString()
    })
  }
  return { child, output: () => output }
}

// Chromium runs without the switches for brief tests, because its memory, files and threads matter here.
test.use({ isBrief: false })
test.skip(!canMount, 'takes root on Linux')

for (const { given, script } of [
  {
    given: 'the temporary folder is full',
    script: 'mount -t tmpfs -o size=64k full "$TMPDIR"; ! dd if=/dev/zero of="$TMPDIR/ballast" bs=4k',
  },
  { given: 'no memory can be shared in /dev/shm', script: 'mount -t tmpfs -o ro none /dev/shm' },
]) {
  test(`the app shows live values where ${given}`, async ({ bench }) => {
    const { child, output } = await startAfter(bench, script)
    await expect.poll(output).toContain('screenshot: ')
    expect(output()).toMatch(/^BRTI [\d,]+\.\d{2} published/m)
    expect(child.exitCode).toBeNull()
  })
}

test('a start that may open too few files ends and says how many it needs', async ({ bench }) => {
  const { child, output } = await startAfter(bench, 'ulimit -n 128')
  expect(await once(child, 'close')).toEqual([2, null])
  expect(output()).toContain('the limit of open files is 128, and the app needs 256')
})

test('a start that cannot create temporary files ends and says so', async ({ bench }) => {
  const { child, output } = await startAfter(bench, 'mount -t tmpfs -o nr_inodes=1 full "$TMPDIR"')
  expect(await once(child, 'close')).toEqual([2, null])
  expect(output()).toContain(`Indexwatch: the temporary folder ${bench.folder}/temporary is not writable.`)
  expect(output()).not.toContain('running already')
})
