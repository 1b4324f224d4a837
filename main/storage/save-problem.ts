import type { Problem } from '../../protocol/model'

/** The system's code of a file error, such as `ENOSPC`; empty for any other error. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Says in plain words why a file could not be saved and what to do. */
export function saveProblem(error: unknown): Problem {
  switch (errorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return {
        code: 'diskFull',
        message: 'Disk full: changes not saved. Free some space; the next change is saved together with these.',
      }
    case 'EROFS':
      return {
        code: 'readOnly',
        message: 'The disk is read-only: changes not saved. Make it writable, or start with another data folder.',
      }
    case 'EACCES':
    case 'EPERM':
      return {
        code: 'noPermission',
        message: 'No permission to write to the data folder: changes not saved. Check whom the folder belongs to.',
      }
    default:
      return {
        code: 'notSaved',
        message: `Changes not saved: ${error instanceof Error ? error.message : String(error)}. The next change is saved together with these.`,
      }
  }
}
