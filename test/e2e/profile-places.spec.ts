/** Profiles on disks without links, and profiles in use by another computer. */
import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { connectionVariables, type AppBench } from '../support/app-bench'
import { expect, test } from '../support/app-test'
import { buildFailingCalls, faultVariables } from '../support/failing-calls'
import { appsOf } from '../support/left-processes'
import { addressOf } from '../support/scripted-rest'

const readyLine = 'The history is open'

function saidBy(child: ChildProcessWithoutNullStreams): () => string {
  let said = ''
  child.stderr.on('data', (data: Buffer) => (said += data.toString()))
  child.stdout.resume()
  return () => said
}

/** Marks the profile as in use by another computer. */
async function useElsewhere(bench: AppBench): Promise<void> {
  await mkdir(bench.userData, { recursive: true })
  await writeFile(join(bench.userData, 'in-use.json'), JSON.stringify({ computer: 'other-desk', id: 'theirs' }))
}

const heldBy = async (bench: AppBench) =>
  (JSON.parse(await readFile(join(bench.userData, 'in-use.json'), 'utf8')) as { computer: string }).computer

const answering = (button: string) => ({
  NODE_OPTIONS: '--require ./test/support/answer-messages.cjs',
  ANSWER_BUTTON: button,
})

test('on a disk without links the app starts, and a second start finds the first', async ({ bench, service }) => {
  const disk = faultVariables(buildFailingCalls(bench.folder), bench.userData, {
    kind: 'symlink',
    code: 'EOPNOTSUPP',
    at: 1,
    times: 1_000_000,
  })
  const variables = { ...connectionVariables(addressOf(service)), ...disk }
  const first = bench.spawn(['--hidden'], variables)
  const said = saidBy(first)
  await expect.poll(said).toContain(readyLine)
  await expect.poll(() => service.connectionCount).toBe(1)
  const second = bench.spawn(['--hidden'], variables)
  const answer = saidBy(second)
  expect(await once(second, 'close')).toEqual([0, null])
  expect(answer()).toContain('Indexwatch is running already')
  expect(service.handshakes).toHaveLength(1)
  expect(first.exitCode).toBeNull()
})

test('a profile in use by another computer is reported, and written only after taking it over', async ({
  bench,
  service,
}) => {
  const address = connectionVariables(addressOf(service))
  await useElsewhere(bench)
  await test.step('a watch ends and says what to do', async () => {
    const child = bench.spawn(['watch', '--demo'])
    const said = saidBy(child)
    expect(await once(child, 'close')).toEqual([2, null])
    expect(said()).toContain('the profile is in use on the computer other-desk')
    expect(said()).toContain('--take-over')
  })
  await test.step('its user quits', async () => {
    const child = bench.spawn(['--demo'], answering('Quit'))
    const said = saidBy(child)
    expect(await once(child, 'close')).toEqual([0, null])
    expect(said()).toContain('Indexwatch is in use on other-desk [Open read-only, Take over, Quit]')
  })
  await test.step('it is opened read-only', async () => {
    const child = bench.spawn(['--hidden'], { ...address, ...answering('Open read-only') })
    await once(child, 'exit')
    await bench.peer.nextTrayItem()
    await expect.poll(() => bench.peer.trayTooltip()).toContain('Live')
    await bench.peer.clickMenu('Quit')
    await expect.poll(() => appsOf(bench.userData)).toEqual([])
  })
  expect(await readdir(bench.userData)).toEqual(['in-use.json'])
  await test.step('it is taken over', async () => {
    const child = bench.spawn(['--hidden'], { ...address, ...answering('Take over') })
    await once(child, 'exit')
    await bench.peer.nextTrayItem()
    expect(await heldBy(bench)).not.toBe('other-desk')
  })
})

test('an app whose profile another computer takes over ends and writes nothing more', async ({ bench }) => {
  const child = bench.spawn(['--demo', '--hidden'], { INDEXWATCH_COMES_BACK: '1' })
  const said = saidBy(child)
  await bench.peer.nextTrayItem()
  const ended = once(child, 'exit')
  await useElsewhere(bench)
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(said()).toContain('Another computer has taken over the profile computer="other-desk"')
  await expect.poll(() => appsOf(bench.userData)).toEqual([])
  expect(await heldBy(bench)).toBe('other-desk')
})
