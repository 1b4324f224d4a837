import { describe, expect, test } from 'vitest'
import {
  argumentsAfterCrash,
  argumentsOfRestart,
  commandArguments,
  isForAssistant,
  findRefusedSwitch,
  givenProxy,
  namesWindowSystem,
  readLaunch,
  textToPrint,
} from '../../../../main/desktop/launch-options'

const connection = {
  INDEXWATCH_WS_URL: 'ws://127.0.0.1:4000/ws/v4',
  INDEXWATCH_REST_URL: 'http://127.0.0.1:4000',
  INDEXWATCH_KEY_ID: 'id',
  INDEXWATCH_KEY_SECRET: 'secret',
}

function launch(argv: string[] = [], env: Record<string, string> = {}, isPackaged = false) {
  return readLaunch({ argv, env, isPackaged })
}

describe('flags', () => {
  test('are off by default', () => expect(launch()).toEqual({ ok: true, value: { isDemo: false, isHidden: false } }))

  test('are read', () =>
    expect(launch(['electron', '.', '--demo', '--hidden', '--report=/tmp/a.png'])).toEqual({
      ok: true,
      value: { isDemo: true, isHidden: true, reportPath: '/tmp/a.png' },
    }))

  test('the password of the desk is read for development only', () => {
    const env = { INDEXWATCH_DESK_PASSWORD: 'word' }
    expect(launch([], env)).toMatchObject({ value: { deskPassword: 'word' } })
    expect(launch([], env, true)).not.toMatchObject({ value: { deskPassword: 'word' } })
  })

  test('a packaged app writes no report', () => {
    expect(launch(['--report=/tmp/a.png'], {}, true)).toEqual(launch())
    expect(launch(['--report=/tmp/a.png'], { INDEXWATCH_DEV: '1' }, true)).toEqual(launch(['--report=/tmp/a.png']))
  })
})

describe('a watch without a window', () => {
  test("has its own arguments besides the app's flags", () => {
    const argv = ['electron', '.', 'watch', '--list', 'My list', '--ids=BRTI, BRR', '--json', '--alerts', '--demo']
    const watch = { lists: ['My list'], ids: ['BRTI', 'BRR'], isJson: true, printsAlerts: true, rules: [] }
    expect(launch(argv)).toEqual({ ok: true, value: { isDemo: true, isHidden: false, watch } })
    expect(launch(['electron', '.', 'watch', '--rule', 'Desk', '--rule=r1'])).toMatchObject({
      value: { watch: { printsAlerts: true, rules: ['Desk', 'r1'] } },
    })
    expect(launch(['indexwatch', 'watch'], {}, true)).toMatchObject({
      value: { watch: { lists: [], ids: [], isJson: false, printsAlerts: false, rules: [] } },
    })
  })

  test('refuses and names unknown arguments', () => {
    expect(launch(['electron', '.', 'watch', '--id', 'BRTI'])).toMatchObject({
      problem: { code: 'badArguments', message: "watch: Unknown option '--id'. See indexwatch watch --help." },
    })
    expect(launch(['electron', '.', 'watch', '--ids', 'BRTI,,'])).toMatchObject({
      problem: { message: 'watch --ids: enter ids such as BRTI,ETHUSD_RTI.' },
    })
    for (const port of ['80', '0x1F90', '1e4', '70000', '9464.5', '']) {
      expect(launch(['electron', '.', 'watch', '--metrics', port])).toMatchObject({
        problem: { message: 'watch --metrics: enter a port from 1024 to 65535.' },
      })
    }
    expect(launch(['electron', '.', 'watch', '--metrics=9464'])).toMatchObject({
      value: { watch: { metricsPort: 9_464 } },
    })
    expect(launch(['electron', '.', 'watch', 'BRTI'])).toMatchObject({ problem: { code: 'badArguments' } })
  })

  test('allows its own arguments in an installed app', () => {
    const start = { isRoot: false, platform: 'linux' } as const
    expect(findRefusedSwitch(['watch', '--json', '--ids', 'BRTI'], start)).toBeUndefined()
    expect(findRefusedSwitch(['--json'], start)).toBe('--json')
    expect(findRefusedSwitch(['watch', '--log-net-log=a'], start)).toBe('--log-net-log=a')
  })
})

describe('the connection from the environment', () => {
  test('is named Environment', () =>
    expect(launch([], connection)).toMatchObject({
      value: {
        environment: {
          profile: {
            name: 'Environment',
            webSocketUrl: 'ws://127.0.0.1:4000/ws/v4',
            restUrl: 'http://127.0.0.1:4000',
            keyId: 'id',
          },
          keySecret: 'secret',
        },
      },
    }))

  test('may have an address for assistant tools', () => {
    expect(launch([], { ...connection, INDEXWATCH_MCP_URL: 'http://127.0.0.1:4000/mcp' })).toMatchObject({
      value: { environment: { profile: { mcpUrl: 'http://127.0.0.1:4000/mcp' } } },
    })
    expect(JSON.stringify(launch([], connection))).not.toContain('mcpUrl')
    for (const wrong of [{ ...connection, INDEXWATCH_MCP_URL: 'http://tools.example' }, { INDEXWATCH_MCP_URL: 'x' }]) {
      const read = launch([], wrong)
      expect(read.ok ? '' : read.problem.message).toContain('INDEXWATCH_MCP_URL')
    }
  })

  test('works without REST', () => {
    const read = launch([], { ...connection, INDEXWATCH_REST_URL: '' })
    expect(read).toMatchObject({ ok: true })
    expect(JSON.stringify(read)).not.toContain('restUrl')
  })

  test('treats empty variables as unset', () =>
    expect(launch([], { INDEXWATCH_WS_URL: '', INDEXWATCH_REST_URL: '' })).toEqual(launch()))

  test.each([
    ['INDEXWATCH_WS_URL', 'nonsense'],
    ['INDEXWATCH_WS_URL', 'http://127.0.0.1:4000'],
    ['INDEXWATCH_WS_URL', 'ws://feed.example/ws/v4'],
    ['INDEXWATCH_WS_URL', 'wss://id:secret@feed.example/ws/v4'],
    ['INDEXWATCH_REST_URL', 'ftp://feed.example'],
    ['INDEXWATCH_KEY_ID', ''],
  ])('names %s when it is %j', (name, value) =>
    expect(launch([], { ...connection, [name]: value })).toMatchObject({
      ok: false,
      problem: { code: 'badEnvironment', message: expect.stringContaining(name) as string },
    }),
  )

  test('needs the stream if REST is given', () =>
    expect(launch([], { INDEXWATCH_REST_URL: 'http://127.0.0.1:1' })).toMatchObject({ ok: false }))

  test('is ignored by a packaged app, unless requested', () => {
    expect(launch([], { ...connection, INDEXWATCH_WS_URL: 'nonsense' }, true)).toEqual(launch())
    expect(launch([], { ...connection, INDEXWATCH_DEV: '1' }, true)).toEqual(launch([], connection))
  })
})

describe('an installed app', () => {
  const user = { isRoot: false, platform: 'linux' } as const

  test.each([
    '--inspect=0',
    '--remote-debugging-port=9222',
    '--log-net-log=/tmp/net.json',
    '--ssl-key-log-file=/tmp/keys',
    '--enable-logging',
    '--disable-seccomp-filter-sandbox',
    '--report=/tmp/a.png',
    '-inspect',
    ' --inspect',
    '--INSPECT-BRK',
    '--no-sandbox',
  ])('refuses %j', (argument) => expect(findRefusedSwitch(['--demo', argument], user)).toBe(argument))

  test('accepts its own flags and those a display may need', () => {
    const own = ['--demo', '--hidden', '--user-data-dir=/tmp/inspect', '--password-store=kwallet6', '--disable-gpu']
    expect(findRefusedSwitch([...own, '--ozone-platform=wayland', 'inspect', '/inspect'], user)).toBeUndefined()
  })

  test('accepts --no-sandbox from root', () =>
    expect(findRefusedSwitch(['--no-sandbox'], { ...user, isRoot: true })).toBeUndefined())

  test('refuses slash switches on Windows', () => {
    const windows = { isRoot: false, platform: 'win32' } as const
    expect(findRefusedSwitch(['/demo', '/log-net-log=C:\\a'], windows)).toBe('/log-net-log=C:\\a')
    expect(findRefusedSwitch(['/demo', '--hidden'], windows)).toBeUndefined()
  })
})

test('a command has its flags from before and after it, and no other switch of the app', () => {
  const argv = ['indexwatch', '--no-sandbox', '--user-data-dir=/a', '--hidden', 'export', '--ids', 'BRTI', '--demo']
  expect(commandArguments([...argv, '--ozone-platform=headless', '--bogus'])).toEqual([
    ...['--user-data-dir=/a', '--ids', 'BRTI', '--demo', '--bogus'],
  ])
  expect(commandArguments(['indexwatch', '--demo'])).toEqual([])
})

test('an assistant is served by the command mcp and by the flag it once was', () => {
  expect([['mcp'], ['--no-sandbox', '--mcp'], ['watch'], []].map(isForAssistant)).toEqual([true, true, false, false])
})

test('the help is that of the command', () => {
  expect(textToPrint(['indexwatch', 'watch', '--help'], '0.2.0')).toContain('--metrics PORT')
  expect(textToPrint(['indexwatch', '--help'], '0.2.0')).not.toContain('--metrics')
})

test('only --help and --version print a text, whatever else is given', () => {
  expect(textToPrint(['indexwatch', '--demo', '--version'], '0.2.0')).toBe('Indexwatch 0.2.0\n')
  const help = textToPrint(['indexwatch', '--version', '--help'], '0.2.0')
  for (const flag of ['--demo', '--hidden', '--user-data-dir=DIR', '--version', '--help']) expect(help).toContain(flag)
  expect(textToPrint(['indexwatch', '--hidden'], '0.2.0')).toBeUndefined()
})

test('a restart keeps the arguments, but neither link, --hidden nor window system', () => {
  const argv = ['/opt/indexwatch', '.', '--demo', '--hidden', '--ozone-platform=wayland', 'indexwatch://index/BRTI']
  expect(argumentsOfRestart([...argv, '--ozone-platform-hint=auto'])).toEqual([
    '.',
    '--demo',
    '--ozone-platform-hint=auto',
  ])
})

test('a start after a crash keeps the arguments, but neither link nor --hidden', () => {
  const argv = ['/opt/indexwatch', '.', '--demo', '--hidden', '--ozone-platform=x11', 'indexwatch://index/BRTI']
  const again = argumentsAfterCrash([...argv, '--after-crash=1764129884'])
  expect(again).toEqual(['.', '--demo', '--ozone-platform=x11'])
  expect(argumentsOfRestart(['/opt/indexwatch', '--after-crash=1764129884'])).toEqual([])
})

test('a start after a crash has the time of the crash if it is known', () => {
  const afterCrash = (...argv: string[]) => {
    const read = launch(argv)
    return read.ok ? read.value.afterCrash : undefined
  }
  expect(afterCrash('--after-crash')).toEqual({})
  expect(afterCrash('--after-crash=1764129884')).toEqual({ crashedAtMs: 1_764_129_884_000 })
  expect(afterCrash('--after-crash=soon', '--after-crashes')).toBeUndefined()
})

test('recognises only a start that names a window system', () => {
  expect(namesWindowSystem(['indexwatch', '--ozone-platform=x11'])).toBe(true)
  expect(namesWindowSystem(['indexwatch', '--ozone-platform-hint=auto', '--demo'])).toBe(false)
})

describe('a given proxy', () => {
  const env = { HTTPS_PROXY: 'user:word@office.example:3128', NO_PROXY: 'inner.example, 10.0.0.0/8' }

  test("comes from the environment, in Chromium's rules", () =>
    expect(givenProxy({ argv: [], env })).toEqual({
      server: 'http://office.example:3128',
      authorization: `Basic ${Buffer.from('user:word').toString('base64')}`,
      bypassList: 'inner.example;.inner.example;10.0.0.0/8',
    }))

  test('may have a percent sign in its password', () => {
    const { authorization } = givenProxy({ argv: [], env: { HTTPS_PROXY: 'http://user:50%off@office.example:3128' } })
    expect(authorization).toBe(`Basic ${Buffer.from('user:50%off').toString('base64')}`)
  })

  test('comes from the command line first', () => {
    const argv = ['indexwatch', '--proxy-server=https://other.example', '--proxy-bypass-list=<-loopback>']
    expect(givenProxy({ argv, env })).toEqual({ server: 'https://other.example:443', bypassList: '<-loopback>' })
  })

  test.each(['socks5://office.example:1080', 'not an address'])(
    'that is %s is reported without its address',
    (text) => {
      const { server, problem } = givenProxy({ argv: [], env: { HTTPS_PROXY: text } })
      expect(server).toBeUndefined()
      expect(problem).toContain(
        'The proxy in HTTPS_PROXY is not supported. Use http://host:port or https://host:port, or choose a proxy in Settings, Network.',
      )
      expect(problem).not.toContain('office.example')
      expect(givenProxy({ argv: [`--proxy-server=${text}`], env: {} }).problem).toContain('in --proxy-server')
    },
  )

  test('is not set by default', () => expect(givenProxy({ argv: ['indexwatch'], env: {} })).toEqual({ bypassList: '' }))
})
