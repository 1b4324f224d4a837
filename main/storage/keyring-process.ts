/**
 * The keyring of an Electron that has synchronous calls alone. They are made in a process of its own, which waits while the
 * user is asked for the keyring's password. What is said goes through its standard input and output, a line each; all bytes
 * as base64, since texts may have ends of lines in them.
 */
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import * as v from 'valibot'
import type { KeyringCalls } from './system-encryption'
import { parseJson } from '../base/sanitize'

const questionSchema = v.union([v.object({ encrypt: v.string() }), v.object({ decrypt: v.string() })])
type Question = v.InferOutput<typeof questionSchema>
/** `null` where the keyring gave none. */
const answerSchema = v.object({ answer: v.nullable(v.string()) })
type Answer = v.InferOutput<typeof answerSchema>

type Child = Pick<ChildProcess, 'on' | 'kill'> & { stdin: Writable; stdout: Readable }

interface Waiting {
  resolve: (answer: Buffer) => void
  reject: (error: Error) => void
}

/** Has a process started when there is something to ask, and ended when all is answered. */
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

  /** What was asked fails. A process that waits for the keyring hears nothing but this. */
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
    // It ends with what it was told unread.
    child.stdin.on('error', ended)
    createInterface(child.stdout).on('line', (line) => {
      const answer = v.safeParse(answerSchema, parseJson(line))
      // What else stands there is Chromium's.
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
      // The process held secrets. The call ends only when it is gone.
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

/** The synchronous calls of `safeStorage`, or others that do the same. */
export interface ServedStorage {
  isEncryptionAvailable(): boolean | Promise<boolean>
  encryptString(text: string): Buffer | Promise<Buffer>
  decryptString(blob: Buffer): string | Promise<string>
}

/** In the other process: answers until nothing more can be asked. */
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
