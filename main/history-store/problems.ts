/** What went wrong with a database, for people. */
import { failure, type Failure, type Problem } from '../../core/model'
import { errorCode, SpecialFile } from '../base/own-file'
import { UnfitDatabase } from './schema'

const problems: Record<string, Failure> = {
  FULL: failure('diskFull', 'The disk is full.'),
  READONLY: failure('readOnly', 'The disk or the file is read-only.'),
  PERM: failure('noPermission', 'There is no permission to write.'),
  CANTOPEN: failure('noPermission', 'The file cannot be opened.'),
  BUSY: failure('inUse', 'Another process uses it.'),
  IOERR: failure('notSaved', 'The disk reports an error.'),
  ENOENT: failure('missing', 'The file, or the folder it belongs in, is not there.'),
}

/** What the system calls the same where it is asked for a file. */
const systemCodes: Record<string, string> = {
  EACCES: 'PERM',
  EIO: 'IOERR',
  EISDIR: 'CANTOPEN',
  ENOSPC: 'FULL',
  ENOTDIR: 'ENOENT',
  EPERM: 'PERM',
  EROFS: 'READONLY',
}

/** The first part of SQLite's code, such as `FULL` or `IOERR`, also for what the system itself reports; else its own code. */
export function databaseCode(error: unknown): string {
  const code = errorCode(error)
  if (code.startsWith('SQLITE_')) return code.split('_')[1] ?? ''
  // The library has no code for a file that cannot be opened, only SQLite's number at the end of the text.
  return /: 14"?\)/.test(String(error)) ? 'CANTOPEN' : (systemCodes[code] ?? code)
}

export function isDamage(error: unknown): boolean {
  if (error instanceof UnfitDatabase) return error.reason === 'damaged'
  return ['CORRUPT', 'NOTADB'].includes(databaseCode(error))
}

export function databaseProblem(error: unknown): Problem {
  if (error instanceof UnfitDatabase) return failure('readOnly', error.message).problem
  if (error instanceof SpecialFile) return failure('unreadable', error.message).problem
  return (problems[databaseCode(error)] ?? failure('internal', String(error))).problem
}
