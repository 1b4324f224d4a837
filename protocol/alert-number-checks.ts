/** What may be wrong with a number of a draft, as it was typed. */
import { compareDecimals, isDecimalText, parseDecimal, sumDecimals, writeOut } from './decimal'
import type { DecimalText } from './model'

const mostDigits = 24

/** Why a typed number cannot be taken; `undefined` when it can. `noun` names it, such as `level`. */
export function numberFault(text: string, noun: string, example: string): string | undefined {
  if (text.trim() === '') return `Enter ${article(noun)} ${noun}, such as ${example}.`
  if (!isDecimalText(text)) {
    if (text.trim() !== text || /[,_'\s]/.test(text)) {
      return `Write the ${noun} in digits alone with a point before the decimals, such as ${example}.`
    }
    return `${capital(article(noun))} ${noun} is a number such as ${example}.`
  }
  if (/e/i.test(text)) {
    const written = writeOut(text)
    return `Write the ${noun} out, such as ${digitCount(written) > mostDigits ? '0.0000135' : written}.`
  }
  if (digitCount(text) > mostDigits) return `The ${noun} has more than ${mostDigits} digits. Leave some out.`
  return undefined
}

/** -1, 0 or 1; `undefined` where one of them is no number. */
export function order(a: string, b: string): -1 | 0 | 1 | undefined {
  const left = parseDecimal(a)
  const right = parseDecimal(b)
  return left === undefined || right === undefined ? undefined : compareDecimals(left, right)
}

export function isAtLeast(a: DecimalText, b: DecimalText): boolean {
  const found = order(a, b)
  return found === 0 || found === 1
}

export function isAbove(a: DecimalText, b: DecimalText): boolean {
  return order(a, b) === 1
}

/** Without its sign. */
export function magnitude(text: DecimalText): DecimalText {
  return text.replace(/^-/, '')
}

export function twice(text: DecimalText): DecimalText {
  return sumDecimals([text, text])
}

function digitCount(text: string): number {
  return text.replace(/\D/g, '').length
}

function article(noun: string): string {
  return /^[aeiou]/i.test(noun) ? 'an' : 'a'
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
