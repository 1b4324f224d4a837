import { execFileSync } from 'node:child_process'
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A wall clock that a test can set for its processes, also while they run. */
export class WrongClock {
  /** The variables for processes with this clock. */
  readonly variables: Record<string, string>
  readonly #path: string

  /** Builds the library that shifts the clock, in `folder`. */
  constructor(folder: string) {
    const library = join(folder, 'wrong-clock.so')
    const source = join(import.meta.dirname, 'wrong-clock.c')
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-Wall', '-Werror', '-o', library, source, '-ldl'])
    this.#path = join(folder, 'clock-shift')
    writeFileSync(this.#path, Buffer.alloc(8))
    this.variables = { LD_PRELOAD: library, CLOCK_SHIFT: this.#path }
  }

  set(aheadMs: number): void {
    const bytes = Buffer.alloc(8)
    bytes.writeBigInt64LE(BigInt(aheadMs))
    // Written in place, because the processes have mapped the file.
    const file = openSync(this.#path, 'r+')
    writeSync(file, bytes)
    closeSync(file)
  }
}
