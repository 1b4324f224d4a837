import { Daemon } from './daemon'

/** A virtual X display whose clipboard and focus are shared with no other app. */
export class VirtualDisplay {
  /** The value for DISPLAY. */
  readonly name: string
  readonly stop: () => Promise<void>

  private constructor(name: string, server: Daemon) {
    this.name = name
    this.stop = () => server.stop()
  }

  /**
   * Takes a free display number. Resolves when clients are accepted. Writes the screen to `Xvfb_screen0` in the folder,
   * in xwd format. Starts faster without GL.
   */
  static async start({ folder, hasGl = true }: { folder?: string; hasGl?: boolean } = {}): Promise<VirtualDisplay> {
    // Without -noreset the server restarts when its last client leaves, and an app starting at that moment cannot
    // connect.
    const screen = ['-screen', '0', '1280x900x24', '-nolisten', 'tcp', '-noreset']
    if (!hasGl) screen.push('-extension', 'GLX')
    if (folder !== undefined) screen.push('-fbdir', folder)
    const server = new Daemon('Xvfb', ['-displayfd', '3', ...screen], ['ignore', 'ignore', 'ignore', 'pipe'])
    return new VirtualDisplay(`:${await server.firstLine(3)}`, server)
  }
}
