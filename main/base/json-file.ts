import type { Outcome } from '../../core/model'

/**
 * The result of reading a file.
 * - `ok` with `setAsidePath`: parts of the content are unusable. The original was copied there.
 * - `restored`: the file was damaged and set aside. The value is the last good copy.
 * - `lost`: damaged and set aside, without a good copy.
 * - `unreadable`: the system could not read a file that may be intact. Nothing was moved, and nothing is written in
 *   this run.
 */
export type JsonRead =
  | { kind: 'ok'; value: unknown; setAsidePath?: string }
  | { kind: 'absent' }
  | { kind: 'restored'; value: unknown; setAsidePath: string }
  | { kind: 'lost'; setAsidePath: string }
  | { kind: 'unreadable'; reason: string }

/** One JSON file that survives a crash at any moment. */
export interface JsonFile {
  /** The file's name without its folder, for messages. */
  readonly name: string
  read(): Promise<JsonRead>
  /** Resolves when the new content is on the disk. Until then the old content stays. */
  write(value: unknown): Promise<Outcome<null>>
}
