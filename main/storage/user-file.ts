/** Files in folders that the user chooses: written atomically, and read with a size limit. */
import { basename } from 'node:path'
import { utf8Text } from '../../core/file-text'
import { done, ok, failure, type Outcome, type Problem } from '../../core/model'
import { parseJson, sanitizeText } from '../base/sanitize'
import { SheetFull } from '../base/workbook'
import { errorCode } from '../base/own-file'
import { problemOfDisk, readSmallFile, replaceFile, temporaryPath, type FileContent } from './disk'
import type { UnfinishedFiles } from './unfinished-files'

/** The usual mode of files, reduced by the umask. */
export const userFileMode = 0o666

/** Writes a text or bytes. An existing file is replaced only when the new one is complete. */
export async function saveUserFile(
  path: string,
  content: FileContent,
  unfinished: UnfinishedFiles,
): Promise<Outcome<null>> {
  try {
    const temporary = temporaryPath(path)
    await unfinished.during(temporary, () => replaceFile(path, content, { mode: userFileMode, temporary }))
    return done
  } catch (error) {
    return { ok: false, problem: notSaved(basename(path), error) }
  }
}

/** The text of a UTF-8 file of at most `maxBytes`. Problems: `tooLarge`, `notText`, `unreadable`. */
export async function readUserFile(path: string, maxBytes: number): Promise<Outcome<string>> {
  const bytes = await readUserBytes(path, maxBytes)
  if (!bytes.ok) return bytes
  const text = utf8Text(bytes.value)
  return text === undefined ? failure('notText', `${basename(path)} is not in UTF-8. Choose another file.`) : ok(text)
}

/** The content of a file of at most `maxBytes`. Problems: `tooLarge`, `unreadable`. */
export async function readUserBytes(path: string, maxBytes: number): Promise<Outcome<Uint8Array>> {
  const name = basename(path)
  try {
    const bytes = await readSmallFile(path, maxBytes)
    if (bytes !== undefined) return ok(bytes)
    const megabytes = Math.round(maxBytes / 2 ** 20)
    return failure('tooLarge', `${name} is larger than ${megabytes} MB, or not a file. Choose another one.`)
  } catch {
    return failure(
      'unreadable',
      `${name} could not be read. Check that it exists and that you have permission to read it.`,
    )
  }
}

/** The message for a user's file that could not be saved. */
export function notSaved(name: string, error: unknown): Problem {
  if (error instanceof SheetFull) {
    const message = `${name} was not saved: ${error.message}. Choose CSV or Parquet, a shorter range or fewer rows.`
    return { code: 'tooManyRows', message }
  }
  if (['ENOENT', 'ENOTDIR'].includes(errorCode(error)))
    return { code: 'notSaved', message: `${name} was not saved: its folder does not exist. Choose another.` }
  return problemOfDisk(error, {
    diskFull: () => `${name} was not saved: the disk is full. Free some space or choose another disk.`,
    readOnly: () => `${name} was not saved: the disk is read-only. Choose another place.`,
    noPermission: () => `${name} was not saved: you have no permission to write to that folder. Choose another.`,
    notSaved: (reason) => `${name} was not saved: ${reason.replace(/\.$/, '')}. Try again or choose another place.`,
  })
}

/** Ignores a byte order mark, which some editors write. Undefined if it is not JSON or nested too deeply. */
export function parseUserJson(text: string): unknown {
  return parseJson(text.replace(/^\ufeff/, ''))
}

/** A place in the file, such as `lists[2].entries[5].id`. */
export function placeIn(root: string, path: readonly { key?: unknown }[]): string {
  return path.reduce((place, { key }) => place + (typeof key === 'number' ? `[${key}]` : `.${fieldIn(key)}`), root)
}

/** A field name from the file, sanitized for a message. */
export function fieldIn(key: unknown): string {
  return sanitizeText(String(key), 60)
}
