import type { Outcome } from '../../protocol/model'

/** Turns a call that was rejected (the app is closing, or a bug) into a problem like any other. */
export async function settled<T>(call: Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await call
  } catch (error) {
    console.error(error)
    return { ok: false, problem: { code: 'unanswered', message: 'Indexwatch did not answer. Please try again.' } }
  }
}
