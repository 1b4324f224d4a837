import Database from 'libsql'

/** The limit of an append: a table of index, time and text, in a file with the history's durability. */
export function openPlainTable(path: string): (values: readonly (readonly [number, number, string])[]) => void {
  const database = new Database(path)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec(
    'CREATE TABLE value (series INTEGER, published INTEGER, text TEXT, PRIMARY KEY (series, published)) WITHOUT ROWID',
  )
  const insert = database.prepare('INSERT INTO value VALUES (?, ?, ?)')
  return (values) => {
    database.exec('BEGIN')
    for (const value of values) insert.run(value)
    database.exec('COMMIT')
  }
}
