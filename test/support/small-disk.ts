import { execFileSync } from 'node:child_process'
import { statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './temporary-folder'

/** Mounting requires root on Linux, which CI has. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0

/** A disk of 1 MiB, unmounted at the end of the test. */
export function smallDisk(): { folder: string; fill: (freeBytes: number) => void; free: () => void } {
  const folder = temporaryFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder])
  onTestFinished(() => {
    execFileSync('umount', [folder])
  })
  const ballast = join(folder, 'ballast')
  return {
    folder,
    /** Fills the disk except for `freeBytes`, a multiple of the 4 KiB block size. */
    fill: (freeBytes) => {
      try {
        writeFileSync(ballast, Buffer.alloc(2 ** 20))
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      }
      truncateSync(ballast, statSync(ballast).size - freeBytes)
    },
    free: () => truncateSync(ballast, 0),
  }
}
