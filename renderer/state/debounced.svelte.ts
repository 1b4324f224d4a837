/** `soon` calls `ask` with its latest arguments, `pauseMs` after the last call. Stops with the component. */
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
