import type { IndexId, Resolution, Subscription } from '../../protocol/model'

/**
 * What an open index page asks the stream for. Corporate actions and market conditions exist for real-time indices alone
 * (spec 4.1, wire facts 1.3) and are asked for once it is known that the index is one. Whether it has them the service
 * says: by a message or by a refusal.
 */
export function pageSubscriptions(id: IndexId, resolution: Resolution | undefined): Subscription[] {
  const always: Subscription[] = [
    { stream: 'value', id, maxResolution: 'PER_SECOND' },
    { stream: 'constituents', id },
  ]
  if (resolution !== 'PER_SECOND' && resolution !== 'PER_200MS') return always
  return [...always, { stream: 'active_corporate_action', id }, { stream: 'rti_stats', id }]
}
