import type { Problem } from '../../protocol/model'
import type { AppendedRead } from '../base/append-file'
import type { JsonRead } from '../base/json-file'

/** What the user should know when the file is left alone. */
export function newerVersionNotice(name: string): string {
  return `The alerts file ${name} was written by a newer version of Indexwatch. It is left as it is and its alerts do not fire here. Install the newer version to use them.`
}

/** What the user should know of how the alerts file was read; `undefined` when all is well. */
export function readingNotice(read: JsonRead, name: string, setAsideCount: number): string | undefined {
  if (read.kind === 'restored') {
    return `The alerts file ${name} could not be read. The last good copy is in use: check your alerts. The damaged file is kept as ${read.setAsidePath}.`
  }
  if (read.kind === 'lost') {
    return `The alerts file ${name} could not be read and there was no copy: make your alerts again. The damaged file is kept as ${read.setAsidePath}.`
  }
  if (setAsideCount > 0) {
    return `Entries of the alerts file ${name} that could not be read: ${setAsideCount}. They are kept aside in it; check your alerts.`
  }
  return undefined
}

/** What the user should know of how the archive of the inbox was read; `undefined` when all is well. */
export function archiveNotice({ setAsidePath }: AppendedRead, name: string): string | undefined {
  if (setAsidePath === undefined) return undefined
  return `Lines of the alerts archive ${name} could not be read and are left out of the inbox. The archive as it was is kept as ${setAsidePath}.`
}

/** What the user should know where the archive of the inbox cannot be read at all. */
export function unreadableArchiveNotice({ message }: Problem, name: string): string {
  return `Older alerts are missing from the inbox, because the archive ${name} could not be read: ${message} Alerts fire all the same.`
}
