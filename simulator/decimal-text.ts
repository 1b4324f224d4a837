/** Number format of an index. */
export interface DecimalFormat {
  readonly decimals: number
  /** Written with an exponent, trailing zeros dropped: 1.35e-5. */
  readonly isScientific?: true
}

/** A level rounded to the published decimals, in the service's notation. Trailing zeros stay (protocol, 2.4). */
export function decimalText(level: number, { decimals, isScientific }: DecimalFormat): string {
  const fixed = level.toFixed(decimals)
  return isScientific === true ? Number(fixed).toExponential() : fixed
}
