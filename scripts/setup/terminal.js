// @ts-check
// Messages of the commands. All go to stderr, because the simulator's stdout begins with its address.

const nameWidth = 16

/** Prints one line about one stage. @param {string} stage @param {string} text */
export function say(stage, text) {
  process.stderr.write(`${stage.padEnd(nameWidth)} ${text}\n`)
}

/** @param {number} sinceMs as given by `performance.now()` */
export function secondsSince(sinceMs) {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`
}

/**
 * Shows the progress of a long step. Updates in place on a terminal, otherwise prints a line every ten seconds.
 * @param {string} stage
 * @param {() => string} describe called at each update
 * @returns {() => void} a function that ends the display
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
