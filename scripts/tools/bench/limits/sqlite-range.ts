import Database from 'libsql'

/**
 * The limit of a range: a table of series, time and text with its key as the index. Filled with one value a second for
 * each series. Returns a function that reads a range of one series as rows.
 */
export function openPlainRange(
  path: string,
  { seriesCount, count, startMs }: { seriesCount: number; count: number; startMs: number },
): (series: number, fromMs: number, toMs: number) => unknown[] {
  const database = new Database(path)
  database.exec('PRAGMA journal_mode = WAL')
  database.exec(
    'CREATE TABLE value (series INTEGER, published INTEGER, text TEXT, PRIMARY KEY (series, published)) WITHOUT ROWID',
  )
  for (let series = 0; series < seriesCount; series++)
    database.exec(`INSERT INTO value SELECT ${series}, ${startMs} + n * 1000, 68000 + n % 1000 || '.' || n % 100
      FROM (WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < ${count - 1}) SELECT n FROM c)`)
  const select = database
    .prepare('SELECT published, text FROM value WHERE series = ? AND published BETWEEN ? AND ? ORDER BY published')
    .raw()
  return (series, fromMs, toMs) => select.all([series, fromMs, toMs])
}
