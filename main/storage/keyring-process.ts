/**
 * Access to the keyring for versions of Electron with only synchronous calls. A separate process makes the calls and
 * blocks while the user is asked for the keyring's password. Requests and answers are lines of JSON on its standard
 * input and output. Data is base64, because it may contain line ends.
 */
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import * as v from 'valibot'
import type { KeyringCalls } from './system-encryption'
import { parseJson } from '../base/sanitize'

const questionSchema = v.union([v.object({ encrypt: v.string() }), v.object({ decrypt: v.string() })])
type Question = v.InferOutput<typeof questionSchema>
/** `null` if the keyring failed. */
const answerSchema = v.object({ answer: v.nullable(v.string()) })
type Answer = v.InferOutput<typeof answerSchema>

type Child = Pick<ChildProcess, 'on' | 'kill'> & { stdin: Writable; stdout: Readable }

interface Waiting {
  resolve: (answer: Buffer) => void
  reject: (error: Error) => void
}

/** Starts a process for a request and ends it when all requests are answered. */
export class KeyringProcess implements KeyringCalls {
  readonly #start: () => Child
  #asked: { child: Child; waiting: Waiting[] } | undefined

  constructor(start: () => Child) {
    this.#start = start
  }

  async encrypt(text: string): Promise<Buffer> {
    return this.#ask({ encrypt: Buffer.from(text).toString('base64') })
  }

  async decrypt(blob: Buffer): Promise<string> {
    return String(await this.#ask({ decrypt: blob.toString('base64') }))
  }

  /** Rejects pending requests. A process that waits for the keyring reacts only to SIGKILL. */
  dispose(): void {
    const asked = this.#asked
    this.#end()
    asked?.child.kill('SIGKILL')
  }

  #ask(question: Question): Promise<Buffer> {
    this.#asked ??= this.#begin()
    const { child, waiting } = this.#asked
    child.stdin.write(`${JSON.stringify(question)}\n`)
    return new Promise((resolve, reject) => {
      waiting.push({ resolve, reject })
    })
  }

  #begin(): { child: Child; waiting: Waiting[] } {
    const child = this.#start()
    const asked = { child, waiting: [] as Waiting[] }
    const ended = () => {
      if (this.#asked === asked) this.#end()
    }
    child.on('error', ended)
    child.on('exit', ended)
    // The process ended before it read the request.
    child.stdin.on('error', ended)
    createInterface(child.stdout).on('line', (line) => {
      const answer = v.safeParse(answerSchema, parseJson(line))
      // Chromium also writes to standard output.
      if (!answer.success || this.#asked !== asked) return
      const first = asked.waiting.shift()
      const settle = () => {
        if (answer.output.answer === null) first?.reject(new Error('The keyring did not answer.'))
        else first?.resolve(Buffer.from(answer.output.answer, 'base64'))
      }
      if (asked.waiting.length > 0) {
        settle()
        return
      }
      // The process held secrets, so the call resolves only when the process is gone.
      this.#asked = undefined
      child.on('exit', settle)
      child.kill('SIGKILL')
    })
    return asked
  }

  #end(): void {
    const waiting = this.#asked?.waiting ?? []
    this.#asked = undefined
    for (const { reject } of waiting) reject(new Error('The process that asks the keyring has ended.'))
  }
}

/** The synchronous calls of `safeStorage`, or equivalents. */
export interface ServedStorage {
  isEncryptionAvailable(): boolean | Promise<boolean>
  encryptString(text: string): Buffer | Promise<Buffer>
  decryptString(blob: Buffer): string | Promise<string>
}

/** Runs in the other process: answers requests until the input ends. */
export async function serveKeyring(storage: ServedStorage, input: Readable, output: Writable): Promise<void> {
  for await (const line of createInterface(input)) {
    const question = v.safeParse(questionSchema, parseJson(line))
    const answer: Answer = { answer: question.success ? await answerOf(storage, question.output) : null }
    output.write(`${JSON.stringify(answer)}\n`)
  }
}

async function answerOf(storage: ServedStorage, question: Question): Promise<string | null> {
  try {
    if (!(await storage.isEncryptionAvailable())) return null
    const answer =
      'encrypt' in question
        ? await storage.encryptString(Buffer.from(question.encrypt, 'base64').toString())
        : Buffer.from(await storage.decryptString(Buffer.from(question.decrypt, 'base64')))
    return answer.toString('base64')
  } catch {
    return null
  }
}
