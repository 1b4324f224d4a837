/** What the running app and the process of an assistant say to each other over the private socket. */
import * as v from 'valibot'

/** Counts up with each change that one of the two would not understand. */
export const wireVersion = 1

const name = v.pipe(v.string(), v.maxLength(200))
const callId = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** From the assistant's process. `hello` comes first. */
export const fromAssistantSchema = v.union([
  v.strictObject({ hello: v.strictObject({ version: v.number(), client: name }) }),
  v.strictObject({ call: callId, tool: v.pipe(v.string(), v.maxLength(1_000)), args: v.optional(v.unknown()) }),
  /** Names of the watchlists whose values it wants to hear of; those of before no longer. */
  v.strictObject({ watch: v.pipe(v.array(name), v.maxLength(100)) }),
])
export type FromAssistant = v.InferOutput<typeof fromAssistantSchema>

const problem = v.object({ code: v.string(), message: v.string() })

/** From the app. `bye` is its last word, and says why. */
export const fromAppSchema = v.union([
  v.object({ answered: callId, text: v.string() }),
  v.object({ refused: callId, problem }),
  /** Names of watchlists with new values. */
  v.object({ changed: v.array(v.string()) }),
  /** There are other watchlists. */
  v.object({ listsChanged: v.literal(true) }),
  v.object({ bye: problem }),
])
export type FromApp = v.InferOutput<typeof fromAppSchema>
