/** Asks when the calls have paused for so long, with what the last one said, while the component that made it is there. */
export function debounced<Said extends unknown[]>(ask: (...said: Said) => unknown, pauseMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(timer)
  const soon = (...said: Said) => {
    stop()
    timer = setTimeout(ask, pauseMs, ...said)
  }
  $effect(() => stop)
  return { soon, stop }
}
