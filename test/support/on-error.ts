/** Lets a test fail with what went wrong. */
export function onError(error: unknown): never {
  throw error
}
