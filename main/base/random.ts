/** A number from 0 up to, but not including, 1. Injected, so that tests know what comes. */
export type Random = () => number
