import { Daemon } from './daemon'

/** An X display without a screen, with a clipboard and a focus that no other app shares. */
export class VirtualDisplay {
  /** As DISPLAY has it. */
  readonly name: string
  readonly stop: () => Promise<void>

  private constructor(name: string, server: Daemon) {
    this.name = name
    this.stop = () => server.stop()
  }

  /**
   * Takes a free number. Resolves when clients are accepted. Writes the screen to `Xvfb_screen0` in the folder, in xwd
   * format. Starts sooner without GL.
   */
  static async start({ folder, hasGl = true }: { folder?: string; hasGl?: boolean } = {}): Promise<VirtualDisplay> {
    // Without -noreset the server starts anew when its last client leaves: an app that is started just then cannot connect.
    const screen = ['-screen', '0', '1280x900x24', '-nolisten', 'tcp', '-noreset']
    if (!hasGl) screen.push('-extension', 'GLX')
    if (folder !== undefined) screen.push('-fbdir', folder)
    const server = new Daemon('Xvfb', ['-displayfd', '3', ...screen], ['ignore', 'ignore', 'ignore', 'pipe'])
    return new VirtualDisplay(`:${await server.firstLine(3)}`, server)
  }
}
