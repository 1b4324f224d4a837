import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Daemon } from './daemon'

/**
 * A call activates only services with a file in `services`. Without one, a test without a notification daemon stays
 * without one.
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

/** A private D-Bus session bus for a test. */
export class DBusSession {
  readonly address: string
  readonly stop: () => Promise<void>

  private constructor(address: string, daemon: Daemon) {
    this.address = address
    this.stop = () => daemon.stop()
  }

  /** Starts a bus with its files in `folder`. Resolves when it accepts connections. */
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
