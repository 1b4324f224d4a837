import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { electronPath } from './packed-app'

export interface ProcessRecord {
  /** To be started in the place of the app's executable. */
  program: string
  /** Every address that any process of the app has opened a line to or sent a packet to, as the kernel saw it. */
  addresses: () => Promise<Set<string>>
  /** Every file that any of them has made or opened to write, by the path it gave. */
  written: () => Promise<Set<string>>
}

/**
 * Has every process of an app recorded; sockets of this machine's own, such as the desktop's, are left out. By `user` the app
 * is started as that user, with Chromium's sandbox, which root cannot have.
 */
export async function recordProcesses(
  folder: string,
  { executable = electronPath, user }: { executable?: string; user?: string } = {},
): Promise<ProcessRecord> {
  const [program, record] = [join(folder, 'recorded-electron'), join(folder, 'record')]
  const calls = 'trace=connect,sendto,sendmsg,sendmmsg,open,openat,creat,rename,renameat,renameat2'
  const as = user === undefined ? '' : `-u ${user} `
  const strace = `strace ${as}-f --seccomp-bpf -qq -yy -s 4096 -e signal=none -e ${calls} -o '${record}'`
  await writeFile(program, `#!/bin/sh\nexec ${strace} '${executable}' "$@"\n`)
  await chmod(program, 0o755)
  await writeFile(record, '')
  return {
    program,
    addresses: async () => addressesIn(await readFile(record, 'utf8')),
    written: async () => writtenIn(await readFile(record, 'utf8')),
  }
}

/** What strace says of a socket it knows, and of the address of a call. */
const peer = /sin6?_port=htons\((\d+)\).*?(?:inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)")/
const connected = /<UDP(?:v6)?:\[.*->(.+)\]>/

/** Connecting a socket of UDP sends nothing: Chromium does it to learn its own address. */
function addressesIn(record: string): Set<string> {
  const found = new Set<string>()
  for (const line of record.split('\n')) {
    const isPacket = /send\w+\(\d+<UDP/.test(line)
    if (!isPacket && !/connect\(\d+<TCP/.test(line)) continue
    const [, port, v4, v6] = peer.exec(line) ?? []
    const address = port === undefined ? connected.exec(line)?.[1] : `${v4 ?? `[${v6 ?? ''}]`}:${port}`
    found.add(address ?? line)
  }
  return found
}

const opened = /open(?:at)?\([^"]*"([^"]+)", [A-Z_|]*(?:O_WRONLY|O_RDWR|O_CREAT)/g

function writtenIn(record: string): Set<string> {
  return new Set([...record.matchAll(opened)].map(([, path = '']) => path))
}
