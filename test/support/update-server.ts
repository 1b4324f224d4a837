import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

interface Release {
  version: string
  /** Content of the package. */
  file: Buffer
  notes?: string
  /** Replaces the file's own hash. */
  sha512?: string
  /** Replaces the name on this server. */
  fileUrl?: string
}

export const packageName = (version: string) => `indexwatch-${version}-linux-x86_64.AppImage`

/** A web folder with a version list and one package, in electron-builder's format. */
export class UpdateServer {
  /** Requested paths without queries, in order. */
  readonly asked: string[] = []
  /** The headers of each request, in the same order. */
  readonly headers: IncomingMessage['headers'][] = []
  readonly #answers = new Map<string, Answer>()
  readonly #server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? ''
    this.asked.push(path)
    this.headers.push(request.headers)
    const answer = this.#answers.get(path)
    if (answer === undefined) response.writeHead(404).end()
    else answer(response, request)
  })

  static async start(): Promise<UpdateServer> {
    const server = new UpdateServer()
    await once(server.#server.listen(0, '127.0.0.1'), 'listening')
    return server
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/app/`
  }

  publish({ version, file, notes, sha512, fileUrl = packageName(version) }: Release): void {
    const hash = sha512 ?? createHash('sha512').update(file).digest('base64')
    const list = [
      `version: ${version}`,
      'files:',
      `  - url: ${fileUrl}`,
      `    sha512: ${hash}`,
      `    size: ${file.byteLength}`,
      `path: ${fileUrl}`,
      `sha512: ${hash}`,
      `releaseDate: '2026-11-22T12:00:00.000Z'`,
      ...(notes === undefined ? [] : [`releaseNotes: ${JSON.stringify(notes)}`]),
    ]
    this.answer('/app/latest-linux.yml', (response) => response.end(list.join('\n')))
    this.answer(`/app/${packageName(version)}`, (response) => {
      response.writeHead(200, { 'Content-Length': file.byteLength }).end(file)
    })
  }

  answer(path: string, answer: Answer): void {
    this.#answers.set(path, answer)
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    if (this.#server.listening) await once(this.#server.close(), 'close')
  }
}
