import Database from 'libsql'

/** Adds one value a second of each index up to `toMs`. The database generates them. The history must be closed. */
export function fillHistory(
  path: string,
  ids: readonly string[],
  { count, toMs }: { count: number; toMs: number },
): void {
  const database = new Database(path)
  database.exec('BEGIN')
  database.exec("INSERT OR IGNORE INTO source (no, origin, connection) VALUES (1000, 'stream', 'Demo')")
  const startMs = Math.floor(toMs / 1_000) * 1_000 - count * 1_000
  for (const id of ids) {
    database.exec(`INSERT OR IGNORE INTO series (id) VALUES ('${id}')`)
    database.exec(`INSERT OR IGNORE INTO value SELECT (SELECT no FROM series WHERE id = '${id}'), ${startMs} + n * 1000, 0,
      68000 + n % 1000 || '.' || n % 100, 150, 1000, 0
      FROM (WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < ${count - 1}) SELECT n FROM c)`)
  }
  database.exec('COMMIT')
  database.close()
}
