import type { DesktopApi } from '../../protocol/commands/contract'
import { fromJson, type Json } from '../../protocol/json'
import { failure, type Outcome } from '../../core/model'
import type { Toasts } from './toasts.svelte'

/** Turns a call that was rejected (the app is closing, or a bug) into a problem like any other. */
export async function settled<T>(call: Promise<Outcome<T>>): Promise<Outcome<T>> {
  try {
    return await call
  } catch (error) {
    console.error(error)
    return failure('unanswered', 'Indexwatch did not answer. Please try again.')
  }
}

/** As `settled`, for an answer that comes as one JSON string. */
export async function settledJson<T>(call: Promise<Outcome<Json<T>>>): Promise<Outcome<T>> {
  const answer = await settled(call)
  return answer.ok ? { ok: true, value: fromJson(answer.value) } : answer
}

/** What a user asks of the app, and hears of it by toasts. */
export abstract class Asking {
  protected readonly api: DesktopApi
  protected readonly toasts: Toasts

  constructor(api: DesktopApi, toasts: Toasts) {
    this.api = api
    this.toasts = toasts
  }

  /** As `settled`, for what has no field to show a refusal by: a toast shows it after the words for what failed. */
  protected async attempt<T>(call: Promise<Outcome<T>>, failed: string): Promise<T | undefined> {
    const answer = await settled(call)
    if (answer.ok) return answer.value
    this.toasts.fail(`${failed}: ${answer.problem.message}`)
    return undefined
  }
}
