/** Fails the test with the error. */
export function onError(error: unknown): never {
  throw error
}
