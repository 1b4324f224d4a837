// @ts-check
// npm run desk:demo: a desk on this computer until Ctrl+C: a server, two watchers and two seats, all on one simulator.
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasDisplay, startVirtualDisplay } from './setup/display.js'
import { electronEnvironment, sandboxFlags } from './setup/electron.js'
import { SetupError, ended, projectRoot, runCommand, startChild, toolEnvironment } from './setup/processes.js'
import { ensureApp } from './setup/program.js'
import { say } from './setup/terminal.js'

const desk = 'london'
const startWithinMs = 20_000

/** @returns {Promise<number>} a port of this computer that nothing uses */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Starts the server with the permissions of the sample. @param {string} folder */
async function startServer(folder) {
  const port = await freePort()
  const sample = readFileSync(join(projectRoot, 'resources', 'desk', 'desk.conf'), 'utf8')
  const configuration = join(folder, 'desk.conf')
  const store = JSON.stringify(join(folder, 'server'))
  const head = `listen: "127.0.0.1:${port}"\njetstream { store_dir: ${store} }\n`
  writeFileSync(configuration, head + sample.slice(sample.indexOf('WATCHER: {')))
  // Debian installs it where users do not look for programs.
  const env = toolEnvironment()
  const child = startChild('nats-server', ['-c', configuration], {
    env: { ...env, PATH: `${env['PATH'] ?? ''}:/usr/sbin` },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text) => (said = (said + text).slice(-2_000)))
  const over = ended(child).then((code) => {
    if (code === 127) throw new SetupError('nats-server is not installed. See https://nats.io/download')
    throw new SetupError(`nats-server ended:\n${said}`)
  })
  // The caller waits for its end as well.
  over.catch(() => undefined)
  await Promise.race([answers(port), over])
  return { port, over }
}

/** Resolves when something answers at the port. @param {number} port */
async function answers(port) {
  for (const giveUpAtMs = performance.now() + startWithinMs; performance.now() < giveUpAtMs; await sleep(50)) {
    const socket = connect(port, '127.0.0.1')
    const isThere = await once(socket, 'data').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isThere) return
  }
  throw new SetupError('nats-server does not answer')
}

/** Starts the simulator. @returns {Promise<NodeJS.ProcessEnv>} the variables of a connection to it */
async function startSimulator() {
  const child = startChild('node', [join(projectRoot, 'out', 'main', 'simulator-cli.js')], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  if (child.stdout === null) throw new SetupError('the simulator has no output')
  const [line] = await once(createInterface(child.stdout), 'line')
  const { ws, rest, mcp, keyId, keySecret } = JSON.parse(String(line))
  return {
    INDEXWATCH_WS_URL: ws,
    INDEXWATCH_REST_URL: rest,
    INDEXWATCH_MCP_URL: mcp,
    INDEXWATCH_KEY_ID: keyId,
    INDEXWATCH_KEY_SECRET: keySecret,
  }
}

/** @param {string} folder @param {{ first: number | undefined, second: number | undefined }} watchers */
function explain(folder, { first, second }) {
  process.stdout.write(`
Two windows open: the seats of ana and ben. Their watchlists have these names. Settings, Desk says which watcher
checks, and Alerts lists the alerts of the desk.

 1. In ana's window make an alert on BRTI near its value, with Repeat "every crossing". Choose "Move to the desk" in the
    menu of the alert. Ben's window lists it under Alerts.
 2. When it fires, both windows show it once. Open Alerts in ben's window. Ana's inbox then says "Seen by ben".
 3. Choose "Mine" in the menu of the event in ana's window. Ben's inbox says "Taken by ana".
 4. Choose "Move to the desk" in the menu of ana's list. Ben's window lists it. Remove a row there: it goes in ana's
    window too, which says who changed the list.
 5. End a watcher:  kill ${first ?? ''}
    The other one publishes within 15 seconds.
 6. End the other:  kill ${second ?? ''}
    Both windows say that no one is judging. Choose "Judge here until a watcher returns".

Ctrl+C ends all of it and removes ${folder}
`)
}

runCommand(async () => {
  const electron = await ensureApp('desk')
  const display = hasDisplay() ? {} : { DISPLAY: await startVirtualDisplay() }
  const folder = mkdtempSync(join(tmpdir(), 'indexwatch-desk-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  const { port, over } = await startServer(folder)
  const connection = await startSimulator()
  const address = `nats://localhost:${port}`
  const flags = [...sandboxFlags('--no-sandbox'), '--log-level=3']

  /** @param {string} name @param {string[]} switches @param {string[]} args @param {NodeJS.ProcessEnv} env */
  const startApp = (name, switches, args, env) => {
    const profile = join(folder, name)
    mkdirSync(profile, { recursive: true })
    const all = [...flags, ...switches, `--user-data-dir=${profile}`, projectRoot, ...args]
    const child = startChild(electron.executable, all, {
      env: toolEnvironment({ ...electronEnvironment(electron), ...connection, ...env }),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const lines = child.stderr && createInterface(child.stderr)
    // Of the watchers only who leads. Errors are in the log of each profile.
    const leads = new Promise((resolve) => {
      lines?.on('line', (line) => {
        if (!line.includes('leads the desk')) return
        say(name, 'leads: it publishes what the watchers decide')
        resolve(undefined)
      })
    })
    return { child, leads, over: ended(child) }
  }

  const watchers = ['watch-1', 'watch-2'].map((name, at) => {
    const signIn = join(folder, `${name}.txt`)
    writeFileSync(signIn, `${name}\nchange-me-${at + 1}\n`, { mode: 0o600 })
    const args = ['watch', '--alerts', '--desk', address, '--desk-name', desk, '--as', name, '--desk-sign-in', signIn]
    return startApp(name, ['--ozone-platform=headless'], args, {})
  })
  const seats = ['ana', 'ben'].map((user, at) => {
    mkdirSync(join(folder, user))
    const entries = ['BRTI', 'ETHUSD_RTI'].map((id) => ({ id, maxResolution: 'PER_SECOND' }))
    const watchlists = [{ id: 'first', name: `Seat of ${user}`, entries }]
    const settings = { version: 2, watchlists, pinnedIds: [], profiles: [], desk: { address, name: desk, user } }
    writeFileSync(join(folder, user, 'settings.json'), JSON.stringify(settings))
    return startApp(user, [], [], { ...display, INDEXWATCH_DESK_PASSWORD: `change-me-${at + 3}` })
  })
  await Promise.race([...watchers.map(({ leads }) => leads), over, sleep(startWithinMs)])
  const [first, second] = watchers.map(({ child }) => child.pid)
  explain(folder, { first, second })
  // The user may quit both windows, and end watchers.
  await Promise.race([over, Promise.all(seats.map((seat) => seat.over))])
  return 0
})
