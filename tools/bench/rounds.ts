import type { Samples } from './report'

/**
 * One measurement of each, in turns that change places, after a round that does not count; `isWarm`: the first
 * round counts too.
 */
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

/** CPU in microseconds that this process has taken so far, over its threads: steadier than time where others work too. */
export function cpuUs(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
