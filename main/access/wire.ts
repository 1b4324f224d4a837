/** Messages between the running app and an assistant's process over the private socket. */
import * as v from 'valibot'

/** Incremented with each incompatible change. */
export const wireVersion = 1

const name = v.pipe(v.string(), v.maxLength(200))
const callId = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** Messages of the assistant's process. `hello` is the first. */
export const fromAssistantSchema = v.union([
  v.strictObject({ hello: v.strictObject({ version: v.number(), client: name }) }),
  v.strictObject({ call: callId, tool: v.pipe(v.string(), v.maxLength(1_000)), args: v.optional(v.unknown()) }),
  /** Names of the watchlists to report changes of. Replaces the previous names. */
  v.strictObject({ watch: v.pipe(v.array(name), v.maxLength(100)) }),
])
export type FromAssistant = v.InferOutput<typeof fromAssistantSchema>

const problem = v.object({ code: v.string(), message: v.string() })

/** Messages of the app. `bye` is the last one and gives the reason. */
export const fromAppSchema = v.union([
  v.object({ answered: callId, text: v.string() }),
  v.object({ refused: callId, problem }),
  /** Names of watchlists with new values. */
  v.object({ changed: v.array(v.string()) }),
  /** The set of watchlists changed. */
  v.object({ listsChanged: v.literal(true) }),
  v.object({ bye: problem }),
])
export type FromApp = v.InferOutput<typeof fromAppSchema>
