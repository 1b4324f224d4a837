/** `soon` calls `run` with its latest arguments, `pauseMs` after the last call. Stops with the component. */
export function debounced<Args extends unknown[]>(run: (...args: Args) => unknown, pauseMs: number) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => clearTimeout(timer)
  const soon = (...args: Args) => {
    stop()
    timer = setTimeout(run, pauseMs, ...args)
  }
  $effect(() => stop)
  return { soon, stop }
}
