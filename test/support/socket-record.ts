import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { electronPath } from './packed-app'

export interface SocketRecord {
  /** To be started in the place of Electron, with `.` as its first argument. */
  program: string
  /** Every address that any process of the app has opened a line to or sent a packet to, as the kernel saw it. */
  addresses: () => Promise<Set<string>>
}

/** Has every process of an app recorded; sockets of this machine's own, such as the desktop's, are left out. */
export async function recordSockets(folder: string): Promise<SocketRecord> {
  const [program, record] = [join(folder, 'recorded-electron'), join(folder, 'sockets')]
  const calls = 'trace=connect,sendto,sendmsg,sendmmsg'
  const strace = `strace -f --seccomp-bpf -qq -e signal=none -e ${calls} -o '${record}'`
  await writeFile(program, `#!/bin/sh\nexec ${strace} '${electronPath}' "$@"\n`)
  await chmod(program, 0o755)
  return { program, addresses: async () => addressesIn(await readFile(record, 'utf8')) }
}

const address = /sin6?_port=htons\((\d+)\).*?(?:inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)")/g

function addressesIn(record: string): Set<string> {
  return new Set([...record.matchAll(address)].map(([, port = '', v4, v6]) => `${v4 ?? `[${v6 ?? ''}]`}:${port}`))
}
