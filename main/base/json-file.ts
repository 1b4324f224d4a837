import type { Outcome } from '../../core/model'

/**
 * What reading a file gave. `setAsidePath` of `ok`: a part of the content cannot be used, so the file is kept there as it was.
 * `restored`: the file was damaged and set aside, the last good copy answered instead. `lost`: damaged and set aside, and
 * there was no good copy. `unreadable`: the system did not give what may well be good; nothing was moved, and nothing is
 * written in this run.
 */
export type JsonRead =
  | { kind: 'ok'; value: unknown; setAsidePath?: string }
  | { kind: 'absent' }
  | { kind: 'restored'; value: unknown; setAsidePath: string }
  | { kind: 'lost'; setAsidePath: string }
  | { kind: 'unreadable'; reason: string }

/** One JSON file that survives a crash at any moment. Its owner takes it by constructor. */
export interface JsonFile {
  /** The file's name without its folder, for messages. */
  readonly name: string
  read(): Promise<JsonRead>
  /** Done when the new content is on the disk; until then the old content stays. */
  write(value: unknown): Promise<Outcome<null>>
}
