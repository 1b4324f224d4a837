// @ts-check
// What set-up says. All of it goes to stderr: the simulator's stdout belongs to its own first line.

const nameWidth = 16

/** One line about one stage. @param {string} stage @param {string} text */
export function say(stage, text) {
  process.stderr.write(`${stage.padEnd(nameWidth)} ${text}\n`)
}

/** @param {number} sinceMs as given by `performance.now()` */
export function secondsSince(sinceMs) {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`
}

/**
 * Shows that a long step is alive: in place on a terminal, as a line every ten seconds elsewhere.
 * @param {string} stage
 * @param {() => string} describe read at each showing
 * @returns {() => void} ends the showing
 */
export function showProgress(stage, describe) {
  const inPlace = process.stderr.isTTY
  const timer = setInterval(
    () => {
      if (inPlace) process.stderr.write(`\r\u001B[K${stage.padEnd(nameWidth)} ${describe()}`)
      else say(stage, describe())
    },
    inPlace ? 500 : 10_000,
  )
  return () => {
    clearInterval(timer)
    if (inPlace) process.stderr.write('\r\u001B[K')
  }
}
