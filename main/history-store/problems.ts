/** Errors of the database in words. */
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

/** The system's codes for the same errors. */
const systemCodes: Record<string, string> = {
  EACCES: 'PERM',
  EIO: 'IOERR',
  EISDIR: 'CANTOPEN',
  ENOSPC: 'FULL',
  ENOTDIR: 'ENOENT',
  EPERM: 'PERM',
  EROFS: 'READONLY',
}

/**
 * The first part of SQLite's code, such as `FULL` or `IOERR`. Codes of the system are mapped to it or returned
 * unchanged.
 */
export function databaseCode(error: unknown): string {
  const code = errorCode(error)
  if (code.startsWith('SQLITE_')) return code.split('_')[1] ?? ''
  // For a file that cannot be opened the library gives only SQLite's number, at the end of the text.
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
