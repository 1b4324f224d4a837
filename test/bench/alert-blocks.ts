/** The longest that main comes to no turn of its loop while thousands of alerts are imported, fire, are edited and deleted. */
import { once } from 'node:events'
import { writeFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { AppBench, connectionVariables } from '../support/app-bench'
import { launchPlainly, type PlainApp } from '../support/plain-app'
import { addressOf, serveCatalogue } from '../support/scripted-rest'
import { ScriptedService } from '../support/scripted-service'
import type { AlertDraft } from '../../protocol/alerts'

const others = 7000
const firing = 3000
const chunk = Number(process.env['CHUNK'] ?? 2500)
const profileDir = process.env['PROFILE']

function draft(indexId: string, level: number): AlertDraft {
  return { indexId, terms: { condition: 'risesTo', level: `${level}` }, repeat: { mode: 'once' }, severity: 'normal' }
}

const service = await ScriptedService.start()
serveCatalogue(service)
const bench = await AppBench.create({}, false)
let timeMs = Math.floor(Date.now() / 1000) * 1000 - 600_000
const publish = (value: string) => { timeMs += 1000; service.sendValue('BRTI', value, timeMs) }

let app: PlainApp
const say = (t: string) => process.stdout.write(`${t}\n`)
async function block(): Promise<{ cpuMs: number; wallMs: number }> {
  return new Promise((found) => {
    const read = (text: string) => {
      if (!text.startsWith('@bench {"block"')) return
      lines.off('line', read)
      found(JSON.parse(text.slice(7)).block)
    }
    lines.on('line', read)
    app.child.stdin.write('block\n')
  })
}
let lines: ReturnType<typeof createInterface>
async function launch() {
  app = await launchPlainly(bench, { ...connectionVariables(addressOf(service)), NODE_OPTIONS: '--require ./test/support/allow-hosts.cjs --require ./test/bench/block-hook.cjs' })
  lines = createInterface(app.child.stdout)
  await app.watch.expectState('Live')
}
async function phase(name: string, run: () => Promise<unknown>) {
  await pause(1500)
  await block()
  if (profileDir) app.child.stdin.write('profile start\n')
  const at = performance.now()
  await run()
  const tookMs = performance.now() - at
  await pause(1500)
  const { cpuMs, wallMs } = await block()
  if (profileDir) { app.child.stdin.write(`profile ${profileDir}/${name.replace(/ /g, '-')}.cpuprofile\n`); await pause(1500) }
  say(`${name.padEnd(32)} cpu ${cpuMs.toFixed(0).padStart(6)} ms  wall ${wallMs.toFixed(0).padStart(6)} ms  took ${tookMs.toFixed(0)} ms`)
}
async function importFile(name: string, drafts: AlertDraft[]) {
  for (let at = 0; at < drafts.length; at += chunk) {
    const path = join(bench.folder, `${name}${at}.json`)
    await writeFile(path, JSON.stringify({ format: 'indexwatch-alerts', version: 1, rules: drafts.slice(at, at + chunk) }))
    app.child.stdin.write(`file ${path}\n`)
    await pause(50)
    const chosen = await app.watch.ask('chooseAlertFile', {})
    if (!chosen.ok || chosen.value === null) throw new Error(JSON.stringify(chosen))
    const made = await app.watch.ask('importAlerts', { importId: chosen.value.importId })
    if (!made.ok) throw new Error(made.problem.message)
  }
}
await launch()
await app!.watch.open('Alerts')
publish('100')
await phase('idle', () => pause(2000))
await phase('import 7000', () => importFile('others', Array.from({ length: others }, (_, i) => draft('BRTI', 100000 + i))))
await phase('import 3000', () => importFile('firing', Array.from({ length: firing }, (_, i) => draft('BRTI', 1000 + i))))
await phase('idle with 10000', () => pause(2000))
await phase('value', async () => { publish('101'); await pause(1000) })
const ids = (await app!.watch.snapshot()).state.alerts.map(({ id }) => id)
await phase('snapshot', () => app!.watch.snapshot())
await phase('3000 fire', async () => {
  publish('5000')
  for (;;) { const s = await app!.watch.snapshot(); if (s.state.unreadCount >= 3000) break; await pause(3000) }
  await pause(5000)
})
await phase('delete 100', async () => { for (const ruleId of ids.slice(0, 100)) { const r = await app!.watch.ask('deleteAlert', { ruleId }); if (!r.ok) throw new Error(r.problem.message) } })
await phase('edit 20', async () => { for (const ruleId of ids.slice(100, 120)) { const r = await app!.watch.ask('setAlertLevel', { ruleId, level: `${200000 + Math.random()}` }); if (!r.ok) throw new Error(r.problem.message) } })
await phase('create 1', async () => { const r = await app!.watch.ask('createAlert', { draft: draft('BRTI', 999999), whenAlreadyMet: 'wait' }); if (!r.ok) throw new Error(r.problem.message) })
await phase('export', async () => { app.child.stdin.write(`file ${join(bench.folder, 'out.json')}\n`); const r = await app!.watch.ask('exportAlerts', {}); say(JSON.stringify(r)) })
await app!.quit()
await launch()
await pause(3000)
say('start with 10,000: ' + JSON.stringify(await block()))
await app!.quit()
await bench.dispose()
await service.stop()
