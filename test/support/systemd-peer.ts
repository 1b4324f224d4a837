import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** Prints that it listens, then each datagram as a line. */
const listener = `
import socket, sys
listening = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listening.bind(sys.argv[1])
print("", flush=True)
while True:
    print(listening.recv(4096).decode(), flush=True)
`

/** Receives messages as systemd does, on a Unix datagram socket. Python listens, because Node has no such sockets. */
export class SystemdPeer {
  /** Received messages, oldest first. */
  readonly heard: string[] = []
  /** For `NOTIFY_SOCKET`. */
  readonly address: string
  readonly #child: ChildProcess

  private constructor(folder: string) {
    this.address = join(folder, 'notify')
    this.#child = spawn('python3', ['-c', listener, this.address], { stdio: ['ignore', 'pipe', 'inherit'] })
  }

  /** Starts it in this folder, which may have only one. */
  static async start(folder: string): Promise<SystemdPeer> {
    const peer = new SystemdPeer(folder)
    const { stdout } = peer.#child
    if (stdout === null) throw new Error('Its output is a pipe.')
    const lines = createInterface(stdout)
    await once(lines, 'line')
    lines.on('line', (line) => {
      // A barrier: the sender asks whether its earlier messages were read.
      if (line !== 'BARRIER=1') peer.heard.push(line)
    })
    return peer
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'close')
    this.#child.kill()
    await ended
  }
}
