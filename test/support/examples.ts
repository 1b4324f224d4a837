/** Whether this is a run of test:deep. */
export const isDeep = process.env['INDEXWATCH_PROPERTY_RUNS'] !== undefined

/** The number of random examples that a property is tried with: all in test:deep, otherwise a fifth. */
export function examples(all: number): number {
  return isDeep ? all : Math.ceil(all / 5)
}
