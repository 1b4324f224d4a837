import type { Publication } from '../../protocol/model'

const toleranceMs = 5 * 60_000

/** Whether a value claims a time so far ahead that it would hide every real one to come. */
export function isFarFuture(publication: Pick<Publication, 'publishedAtMs'>, wallMs: number): boolean {
  return publication.publishedAtMs > wallMs + toleranceMs
}
