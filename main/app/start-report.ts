import { writeFile } from 'node:fs/promises'
import { formatDecimal } from '../../core/decimal'
import type { IndexId, Quote } from '../../core/model'
import type { Clock } from '../base/clock'
import { timeText } from '../base/user-time'

interface Options {
  clock: Clock
  path: string
  /** Ids on screen. */
  ids: () => readonly IndexId[]
  screenshot: () => Promise<Buffer | undefined>
  print: (line: string) => void
}

/** Time to wait for the remaining rows after the first value. */
const patienceMs = 5_000
/** Time for the page to draw its values and some of its trend. */
const drawingMs = 2_000
const maxPictures = 5

/**
 * For a start without a display: prints the first live value of each row, then saves a picture of the window. Gets each
 * new value.
 */
export function startReport({ clock, path, ids, screenshot, print }: Options): (quote: Quote) => void {
  const printed = new Set<IndexId>()
  let isFinishing = false

  function finish(): void {
    if (isFinishing) return
    isFinishing = true
    clock.after(drawingMs, () => void writePicture())
  }

  async function writePicture(triesLeft = maxPictures): Promise<void> {
    try {
      const picture = await screenshot()
      if (picture === undefined) {
        print('screenshot: none, there is no window')
        return
      }
      // On a busy machine nothing may be drawn yet.
      if (picture.length === 0 && triesLeft > 1) {
        clock.after(drawingMs, () => void writePicture(triesLeft - 1))
        return
      }
      await writeFile(path, picture)
      print(`screenshot: ${path}`)
    } catch (error) {
      print(`screenshot: failed, ${String(error)}`)
    }
  }

  return (quote) => {
    if (quote.source === 'cache' || printed.has(quote.id) || !ids().includes(quote.id)) return
    if (printed.size === 0) clock.after(patienceMs, finish)
    printed.add(quote.id)
    const time = timeText(quote.publishedAtMs, clock.wallMs(), { precision: 'millisecond' })
    // Programs may read this output, so use an ASCII minus.
    print(`${quote.id} ${formatDecimal(quote.value).replace('\u2212', '-')} published ${time}`)
    if (printed.size >= ids().length) finish()
  }
}
