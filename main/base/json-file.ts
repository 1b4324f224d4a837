import type { Outcome } from '../../protocol/model'

/**
 * What reading a file gave. `restored`: the file was unreadable and set aside, the last good copy answered instead.
 * `lost`: unreadable and set aside, and there was no good copy.
 */
export type JsonRead =
  | { kind: 'ok'; value: unknown }
  | { kind: 'absent' }
  | { kind: 'restored'; value: unknown; setAsidePath: string }
  | { kind: 'lost'; setAsidePath: string }

/** One JSON file that survives a crash at any moment. Its owner takes it by constructor. */
export interface JsonFile {
  /** The file's name without its folder, for messages. */
  readonly name: string
  read(): Promise<JsonRead>
  /** Done when the new content is on the disk; until then the old content stays. */
  write(value: unknown): Promise<Outcome<null>>
}
