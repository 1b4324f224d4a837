import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Daemon } from './daemon'

/**
 * Only who has a file in `services` is started by a call: where a test has no notification daemon, none appears.
 */
function configuration(socketPath: string, services: string): string {
  return `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <keep_umask/>
  <servicedir>${services}</servicedir>
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
  readonly stop: () => Promise<void>

  private constructor(address: string, daemon: Daemon) {
    this.address = address
    this.stop = () => daemon.stop()
  }

  /** Starts a bus whose files lie in `folder`; done when it can be connected to. */
  static async start(folder: string): Promise<DBusSession> {
    const configPath = join(folder, 'bus.conf')
    const services = join(folder, 'services')
    await mkdir(services, { recursive: true })
    await writeFile(configPath, configuration(join(folder, 'bus'), services))
    const args = [`--config-file=${configPath}`, '--nofork', '--print-address=1']
    const daemon = new Daemon('dbus-daemon', args, ['ignore', 'pipe', 'ignore'])
    return new DBusSession(await daemon.firstLine(1), daemon)
  }
}
