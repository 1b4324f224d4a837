/** The database: how it is opened, its tables, and their migrations. */
import Database from 'libsql'
import { statFile } from '../base/own-file'

/** An open database. Rows are lists in column order. */
export type HistoryDatabase = Pick<Database.Database, 'exec' | 'prepare' | 'close'>

/** Identifies our files in `PRAGMA application_id`: "IWTP". */
const applicationId = 0x49_57_54_50

/** The values in readable form. Released migrations contain this text, so it never changes. */
const readableValue = `
  CREATE VIEW readable_value AS
    SELECT series.id AS "index", strftime('%Y-%m-%dT%H:%M:%f', published / 1000.0, 'unixepoch') || 'Z' AS published,
      text AS value,
      CASE WHEN amended > 0 THEN strftime('%Y-%m-%dT%H:%M:%f', amended / 1000.0, 'unixepoch') || 'Z' END AS amended,
      flags & 1 AS is_carried_over,
      strftime('%Y-%m-%dT%H:%M:%f', (published + learned_after) / 1000.0, 'unixepoch') || 'Z' AS learned,
      source.origin, source.connection
    FROM value JOIN series ON series.no = value.series JOIN source ON source.no = value.source;`

/**
 * Migration n leads from version n − 1 to n. Released migrations never change. docs/development/history-database.md
 * describes the tables.
 */
const migrations: readonly string[] = [
  `
  CREATE TABLE series (no INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, thinned_through INTEGER NOT NULL DEFAULT 0);
  CREATE TABLE source (no INTEGER PRIMARY KEY, origin TEXT NOT NULL, connection TEXT NOT NULL, UNIQUE (origin, connection));
  CREATE TABLE value (
    series INTEGER NOT NULL, published INTEGER NOT NULL, amended INTEGER NOT NULL, text TEXT NOT NULL,
    learned_after INTEGER NOT NULL, source INTEGER NOT NULL, flags INTEGER NOT NULL,
    PRIMARY KEY (series, published, amended)
  ) WITHOUT ROWID;
  CREATE INDEX value_amended ON value (amended, published, series) WHERE amended > 0;
  CREATE TABLE span (
    no INTEGER PRIMARY KEY, series INTEGER NOT NULL, from_ms INTEGER NOT NULL, to_ms INTEGER NOT NULL,
    state TEXT NOT NULL, asked INTEGER NOT NULL
  );
  CREATE INDEX span_end ON span (series, to_ms);
  CREATE TABLE rule (id TEXT PRIMARY KEY, position INTEGER NOT NULL, document TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE run (
    rule TEXT NOT NULL, run INTEGER NOT NULL, document TEXT NOT NULL, started INTEGER NOT NULL, ended INTEGER,
    PRIMARY KEY (rule, run)
  ) WITHOUT ROWID;
  CREATE TABLE firing (
    rule TEXT NOT NULL, run INTEGER NOT NULL, published INTEGER NOT NULL, direction TEXT NOT NULL, event TEXT,
    document TEXT NOT NULL, PRIMARY KEY (rule, run, published, direction)
  ) WITHOUT ROWID;
  CREATE TABLE checkpoint (
    rule TEXT NOT NULL, run INTEGER NOT NULL, published INTEGER NOT NULL, state TEXT NOT NULL,
    PRIMARY KEY (rule, run, published)
  ) WITHOUT ROWID;
  CREATE TABLE event (
    id TEXT PRIMARY KEY, number INTEGER NOT NULL, kind TEXT NOT NULL, rule TEXT NOT NULL, index_id TEXT NOT NULL,
    published INTEGER, is_read INTEGER NOT NULL, words TEXT NOT NULL, document TEXT NOT NULL
  );
  CREATE INDEX event_number ON event (number);
  CREATE INDEX event_rule ON event (rule, number);
  CREATE INDEX event_published ON event (index_id, published);
  CREATE INDEX event_unread ON event (number) WHERE is_read = 0;
  CREATE TABLE document (key TEXT PRIMARY KEY, at INTEGER NOT NULL, document TEXT NOT NULL);
  CREATE TABLE snapshot (
    kind TEXT NOT NULL, series INTEGER NOT NULL, published INTEGER NOT NULL, learned INTEGER NOT NULL,
    document TEXT NOT NULL, PRIMARY KEY (kind, series, published)
  );
  ${readableValue}
  `,
  `
  ALTER TABLE event ADD COLUMN about TEXT;
  UPDATE event SET about = json_extract(document, '$.aboutEventId')
    WHERE kind IN ('retracted', 'confirmed') AND json_valid(document);
  CREATE INDEX event_about ON event (about) WHERE about IS NOT NULL;
  `,
  `
  ALTER TABLE event ADD COLUMN link INTEGER;
  ALTER TABLE event ADD COLUMN hash TEXT;
  CREATE INDEX event_link ON event (link);
  CREATE TABLE chain_end (no INTEGER PRIMARY KEY CHECK (no = 1), link INTEGER NOT NULL, hash TEXT NOT NULL);
  `,
  `
  DROP VIEW readable_value;
  ALTER TABLE source RENAME TO source_without_id;
  CREATE TABLE source (
    no INTEGER PRIMARY KEY, origin TEXT NOT NULL, connection TEXT NOT NULL, connection_id TEXT NOT NULL DEFAULT '',
    UNIQUE (origin, connection, connection_id)
  );
  INSERT INTO source (no, origin, connection) SELECT no, origin, connection FROM source_without_id;
  DROP TABLE source_without_id;
  ${readableValue}
  `,
  `
  DROP TABLE chain_end;
  DROP INDEX event_link;
  ALTER TABLE event DROP COLUMN link;
  ALTER TABLE event DROP COLUMN hash;
  `,
]

export const schemaVersion = migrations.length

/**
 * `newer`: written by a later version of the app. `damaged`: unusable. `uncopied`: can be neither written to nor
 * copied.
 */
type Unfitness = 'newer' | 'damaged' | 'uncopied'

/** Why a database cannot be used. */
export class UnfitDatabase extends Error {
  readonly reason: Unfitness

  constructor(reason: Unfitness, message: string) {
    super(message)
    this.reason = reason
  }
}

/** The value of a statement that returns one cell. */
function single(database: HistoryDatabase, sql: string): unknown {
  return (database.prepare(sql).raw().get() as unknown[] | undefined)?.[0]
}

/**
 * Brings an open database to the current schema: creates the tables, or calls `beforeMigration` and migrates. Throws
 * `UnfitDatabase` or the database's own error.
 */
export function prepareSchema(database: HistoryDatabase, beforeMigration: () => void): void {
  const version = checkVersion(database)
  if (version === schemaVersion) return
  if (version > 0) beforeMigration()
  // Lets SQLite shrink the file without rewriting it. It can only be set in an empty database.
  else database.exec('PRAGMA auto_vacuum = INCREMENTAL')
  database.exec('BEGIN IMMEDIATE')
  try {
    for (const migration of migrations.slice(version)) database.exec(migration)
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}; COMMIT`)
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

/**
 * Returns the version, or 0 for an empty database. Throws `UnfitDatabase` for a later version or another program's
 * database.
 */
export function checkVersion(database: HistoryDatabase): number {
  const version = Number(single(database, 'PRAGMA user_version'))
  const id = Number(single(database, 'PRAGMA application_id'))
  const isEmpty = Number(single(database, 'SELECT count(*) FROM sqlite_master')) === 0
  if (isEmpty) return 0
  if (id !== applicationId || version < 1) throw new UnfitDatabase('damaged', 'The file is not a history.')
  if (version > schemaVersion) throw new UnfitDatabase('newer', `The history has version ${version}.`)
  return version
}

/** Reads the whole database. Throws `UnfitDatabase` if SQLite's check finds a fault. */
export function checkIntegrity(database: HistoryDatabase): void {
  const found = String(single(database, 'PRAGMA quick_check(1)'))
  if (found !== 'ok') throw new UnfitDatabase('damaged', found)
}

/** Throws `SpecialFile` if one of the database's paths is not a regular file. */
function lookAtDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) statFile(path + suffix)
}

/** Opens the file for reading and writing. */
export function openDatabase(path: string): HistoryDatabase {
  lookAtDatabase(path)
  const database = new Database(path)
  // Without it a second process that only reads could make a write fail.
  database.exec('PRAGMA busy_timeout = 2000')
  return database
}

/**
 * Write-ahead journal, so that others can read during a write. Each commit waits for the disk. The cache is 4 MB for
 * pages used often. The system caches the rest of the file.
 */
export function useJournal(database: HistoryDatabase): void {
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 16777216; PRAGMA cache_size = -4096',
  )
}

/** Opens the file read-only. `isImmutable` also works if no files can be created beside it. */
export function openForReading(path: string, isImmutable = false): HistoryDatabase {
  lookAtDatabase(path)
  const url = `file:${path.replaceAll('%', '%25').replaceAll('?', '%3f').replaceAll('#', '%23')}`
  const database = new Database(`${url}?mode=ro${isImmutable ? '&immutable=1' : ''}`)
  database.exec('PRAGMA query_only = 1')
  return database
}
