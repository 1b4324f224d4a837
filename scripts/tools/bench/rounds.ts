import type { Samples } from './report'

/** Measures both sides in alternating order, after a warm-up round that does not count. `isWarm` skips the warm-up. */
export async function inTurns(
  rounds: number,
  measure: { [Side in keyof Samples]: () => Promise<number> | number },
  { isWarm = false } = {},
): Promise<Samples> {
  const samples: Samples = { ours: [], limit: [] }
  for (let round = isWarm ? 1 : 0; round <= rounds; round++) {
    const order = round % 2 === 0 ? (['limit', 'ours'] as const) : (['ours', 'limit'] as const)
    for (const side of order) {
      const figure = await measure[side]()
      if (round > 0) samples[side].push(figure)
    }
  }
  return samples
}

/** CPU in µs that this process has used so far in all threads. Steadier than wall time on a busy machine. */
export function cpuUs(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
