import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Nobody is started by a call: where a test has no notification daemon, none appears. */
function configuration(socketPath: string): string {
  return `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <keep_umask/>
  <listen>unix:path=${socketPath}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
    <allow user="*"/>
  </policy>
</busconfig>
`
}

/** A D-Bus session bus of the test's own. */
export class DBusSession {
  readonly address: string
  readonly #daemon: ChildProcess

  private constructor(address: string, daemon: ChildProcess) {
    this.address = address
    this.#daemon = daemon
  }

  /** Starts a bus whose files lie in `folder`; done when it can be connected to. */
  static async start(folder: string): Promise<DBusSession> {
    const configPath = join(folder, 'bus.conf')
    await writeFile(configPath, configuration(join(folder, 'bus')))
    const daemon = spawn('dbus-daemon', [`--config-file=${configPath}`, '--nofork', '--print-address=1'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = once(daemon, 'exit').then(([code]) => {
      throw new Error(`dbus-daemon ended with ${String(code)}`)
    })
    ended.catch(() => undefined)
    const [line] = (await Promise.race([once(daemon.stdout, 'data'), ended])) as [Buffer]
    return new DBusSession(line.toString().trim(), daemon)
  }

  async stop(): Promise<void> {
    if (this.#daemon.exitCode !== null) return
    const ended = once(this.#daemon, 'exit')
    this.#daemon.kill()
    await ended
  }
}
