import type { InboxCheck } from '../../core/alert-events'
import type { Outcome } from '../../core/model'
import type { ChainPart, Questions } from '../tape/contract'

type Asked = Questions['eventChain']['asked']

/** Checks all events of a tape in their order, up to the first that does not hold. */
export async function verifyInbox(
  ask: (asked: Asked) => Outcome<ChainPart> | Promise<Outcome<ChainPart>>,
): Promise<Outcome<InboxCheck>> {
  let check: InboxCheck = { count: 0 }
  for (let asked: Asked = {}; ;) {
    const answer = await ask(asked)
    if (!answer.ok) return answer
    const { events, break: found, next, end } = answer.value
    const [first, last] = [check.first ?? events[0], events.at(-1) ?? check.last]
    check = {
      count: check.count + events.length,
      ...(first !== undefined && { first }),
      ...(last !== undefined && { last }),
      ...(found !== undefined && { break: found }),
      ...(end !== undefined && { hash: end }),
    }
    if (next === undefined) return { ok: true, value: check }
    asked = { after: next }
  }
}
