/** Declares a window command: its arguments and its answer. */
import * as v from 'valibot'
import { indexIdSchema } from '../../core/shapes'
import type { Allowance } from './allowance'

const defaultAllowance: Allowance = { nodes: 200, characters: 16_384 }

export interface Command<Schema extends v.GenericSchema, Answer> {
  readonly schema: Schema
  readonly allowance: Allowance
  /** Only for the type. Never set. */
  readonly answer?: Answer
}

/**
 * Declares a command by its named arguments. `answers<T>()` completes it. Text in the request must fit the allowance.
 */
export function command<Entries extends v.ObjectEntries>(entries: Entries, allowance: Allowance = defaultAllowance) {
  return {
    answers: <Answer>(): Command<v.StrictObjectSchema<Entries, undefined>, Answer> => ({
      schema: v.strictObject(entries),
      allowance,
    }),
  }
}

export type ArgumentsOf<C> =
  C extends Command<infer Schema, unknown>
    ? keyof v.InferOutput<Schema> extends never
      ? Record<string, never>
      : v.InferOutput<Schema>
    : never

export type AnswerOf<C> = C extends Command<v.GenericSchema, infer Answer> ? Answer : never

/** Id that the app generated: of a list, rule, profile or notice. */
export const localId = v.pipe(v.string(), v.minLength(1), v.maxLength(64))
export const indexId = indexIdSchema
export const position = v.pipe(v.number(), v.integer(), v.minValue(0))

/** The answer of saving a file. `null` if the user cancelled. */
export type SavedFile = { fileName: string } | null
