import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { isNestedTooDeep } from '../base/untrusted-text'
import { errorCode } from './save-problem'

/** `unreadable` has something in its place that is no good JSON file: damaged, too large, or no file at all. */
export type JsonContent = { kind: 'ok'; value: unknown } | { kind: 'absent' } | { kind: 'unreadable' }

/**
 * Reads a JSON object or array. Anything but a regular file of at most `maxBytes` is left untouched and unread: opening a
 * pipe would wait for its writer for ever.
 */
export async function readJson(path: string, maxBytes: number): Promise<JsonContent> {
  try {
    const bytes = await readSmallFile(path, maxBytes)
    if (bytes === undefined) return { kind: 'unreadable' }
    const value = parseJson(bytes)
    return typeof value === 'object' && value !== null ? { kind: 'ok', value } : { kind: 'unreadable' }
  } catch (error) {
    return { kind: errorCode(error) === 'ENOENT' ? 'absent' : 'unreadable' }
  }
}

/** The bytes of a regular file of at most `maxBytes`; `undefined` for any other. Throws the system's error. */
export async function readSmallFile(path: string, maxBytes: number): Promise<Buffer | undefined> {
  const { isRegular, size } = await look(path)
  return isRegular && size <= maxBytes ? readBytes(path) : undefined
}

async function look(path: string): Promise<{ isRegular: boolean; size: number }> {
  const found = await lstat(path)
  return { isRegular: found.isFile(), size: found.size }
}

async function readBytes(path: string): Promise<Buffer> {
  // Without waiting, should a pipe have taken the file's place since it was looked at. Windows has neither.
  const handle = await open(path, constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0))
  try {
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

/** UTF-8 with or without a byte order mark; throws on any other encoding, on bad JSON and on absurd nesting. */
function parseJson(bytes: Buffer): unknown {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  if (isNestedTooDeep(text)) throw new SyntaxError('nested too deep')
  return JSON.parse(text)
}
