import { chanceOf } from '../noise'
import { historySpanMs, london, timesBetween } from '../schedule'
import { unknownId, type Endpoint } from './endpoint'

const months = ['1M', '2M', '3M', '4M', '5M']

/** Every rate curve with its tenors, the shortest first (protocol, 4.2). */
const curvesById = new Map([
  ['BIRC', ['SIRB', '1W', '2W', '3W', ...months]],
  ['USDT', ['SIR', '1W', '2W', '3W', ...months, '6M', '1Y']],
])

/** `GET curves`: the interest rates of each day of the last year, as fractions, ascending. */
export const curves: Endpoint = {
  path: 'curves',
  respond({ query, seed, nowMs }) {
    const id = query.get('id') ?? ''
    const tenors = curvesById.get(id)
    if (tenors === undefined) return unknownId
    const days = timesBetween(london, nowMs - historySpanMs(london), nowMs, 'PER_SECOND')
    const rate = (time: number, at: number) => 0.03 + 0.004 * at + 0.02 * chanceOf(seed, id, time)
    return {
      payload: days.map((time) => ({
        tenors: Object.fromEntries(tenors.map((tenor, at) => [tenor, rate(time, at).toFixed(4)])),
        time,
      })),
    }
  },
}
