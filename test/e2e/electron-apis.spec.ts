import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listedApis } from '../../scripts/testing/electron-apis.js'
import { expect, test } from '../support/app-test'
import { addressOf } from '../support/scripted-rest'

/** Structures that calls return. Their fields cannot be looked up without a call. */
const structures = new Set([
  'Display',
  'Rectangle',
  'LoginItemSettings',
  'Input',
  'MessageBoxReturnValue',
  'OpenDialogReturnValue',
  'SaveDialogReturnValue',
  'ProcessMetric',
  'RenderProcessGoneDetails',
  'IpcMainInvokeEvent',
  'IpcRenderer',
  'ContextBridge',
])

test(
  'this Electron has every API that docs/development/electron.md lists',
  { tag: '@deep' },
  async ({ bench, service }) => {
    const { running } = await bench.launchLive(addressOf(service))
    const page = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'development', 'electron.md'), 'utf8')
    const members = [...listedApis(page)].filter(
      (name) => name.includes('.') && !structures.has(name.split('.')[0] ?? ''),
    )
    const missingOf = (names: string[]) =>
      running.app.evaluate((electron, wanted) => {
        const window = electron.BrowserWindow.getAllWindows()[0]
        if (window === undefined) throw new Error('there is no window')
        const child = electron.utilityProcess.fork('/dev/null', [], { stdio: 'ignore' })
        const modules = electron as unknown as Record<string, unknown>
        const objects: Record<string, unknown[]> = {
          CommandLine: [electron.app.commandLine],
          Session: [window.webContents.session],
          WebContents: [window.webContents],
          WebFrameMain: [window.webContents.mainFrame],
          BrowserWindow: [window],
          UtilityProcess: [electron.utilityProcess, child],
          Menu: [new electron.Menu()],
          NativeImage: [electron.nativeImage.createEmpty()],
        }
        const missing = wanted.filter((name) => {
          const [type = '', member = ''] = name.split('.')
          const module = modules[type] ?? modules[`${type.charAt(0).toLowerCase()}${type.slice(1)}`]
          const prototype = (module as { prototype?: unknown } | undefined)?.prototype
          const candidates = [...(objects[type] ?? []), module, prototype]
          return !candidates.some((each) => each !== undefined && each !== null && member in Object(each))
        })
        child.kill()
        return missing
      }, names)
    expect(members.length).toBeGreaterThan(80)
    // The control: names that no Electron has.
    const invented = ['App.flyToTheMoon', 'UtilityProcess.flyToTheMoon']
    expect(await missingOf([...members, ...invented])).toEqual(invented)
  },
)
