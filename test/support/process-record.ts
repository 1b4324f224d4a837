import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { electronPath } from './packed-app'

export interface ProcessRecord {
  /** To start instead of the app's executable. */
  program: string
  /** Every address to which a process of the app connected or sent a packet, from the kernel. */
  addresses: () => Promise<Set<string>>
  /** Every file that a process created or opened for writing, by the path it gave. */
  written: () => Promise<Set<string>>
}

/**
 * Records every process of an app, except for local sockets such as the desktop's. `user` starts the app as that user,
 * with Chromium's sandbox, which root cannot use.
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

/** The strace notation of a known socket, and of an address in a call. */
const peer = /sin6?_port=htons\((\d+)\).*?(?:inet_addr\("([^"]+)"\)|inet_pton\(AF_INET6, "([^"]+)")/
const connected = /<UDP(?:v6)?:\[.*->(.+)\]>/

/** Connecting a UDP socket sends nothing. Chromium does it to learn its own address. */
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
