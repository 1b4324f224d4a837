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

export interface AppendedRead {
  /** Oldest first; of a very long file the newest. */
  entries: unknown[]
  /** Where the whole file was copied before damaged lines were taken out of it. */
  setAsidePath?: string
}

/** A file that only grows: one entry a line. Its owner takes it by constructor. */
export interface AppendFile {
  /** The file's name without its folder, for messages. */
  readonly name: string
  /** What a crash left of a last line is cut off. A file that cannot be read is a problem; one that is absent is empty. */
  read(): Promise<Outcome<AppendedRead>>
  /** Done when the entries are on the disk; where it fails, none of them is. */
  append(entries: readonly unknown[]): Promise<Outcome<null>>
}
