import type { Log, LogFacts } from '../../main/base/log'

/** A log that keeps its entries for the test. */
export class RecordedLog implements Log {
  readonly entries: { level: 'info' | 'warn' | 'error'; text: string; facts: LogFacts }[] = []

  info(text: string, facts: LogFacts = {}): void {
    this.entries.push({ level: 'info', text, facts })
  }

  warn(text: string, facts: LogFacts = {}): void {
    this.entries.push({ level: 'warn', text, facts })
  }

  error(text: string, facts: LogFacts = {}): void {
    this.entries.push({ level: 'error', text, facts })
  }

  /** Texts of one level, oldest first. */
  texts(level: 'info' | 'warn' | 'error'): string[] {
    return this.entries.filter((entry) => entry.level === level).map((entry) => entry.text)
  }
}
