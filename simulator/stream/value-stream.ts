import type { PublishedValue } from '../publications'
import type { PublicationStream } from './publication-channel'

/** A value update message (spec 2.4), its keys in the order in which the production service writes them. */
export function valueFrame(id: string, { time, value, ...flags }: PublishedValue): string {
  return JSON.stringify({ type: 'value', time, id, value, ...flags })
}

/** The channel `value` (spec 2.1, 2.3, 2.4, 6): every index has it. */
export const valueStream: PublicationStream = {
  stream: 'value',
  hasResolution: true,
  offers: () => true,
  frame: ({ id }, published) => valueFrame(id, published),
}
