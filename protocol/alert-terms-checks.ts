/** What may be wrong with the terms of a draft. */
import type { DraftProblem } from './alert-events'
import { isNeverNegative, longestBetweenMs, longestWindowMs, notTold } from './alert-index-checks'
import { isAbove, isAtLeast, magnitude, numberFault, order, twice } from './alert-number-checks'
import { spanText } from './alert-words'
import type { AlertTerms, BandTerms, LevelTerms, MoveTerms, RearmBand } from './alerts'
import { percentChange, subtractDecimals } from './decimal'
import type { IndexInfo } from './model'

const longestSilenceMs = 366 * 86_400_000

/** `index` as far as the service has told of it. */
export function checkTerms(terms: AlertTerms, index: IndexInfo | undefined): DraftProblem[] {
  const missing = notTold(terms, index)
  return [...(missing === undefined ? [] : [at('condition', missing)]), ...checkNumbers(terms, index)]
}

function checkNumbers(terms: AlertTerms, index: IndexInfo | undefined): DraftProblem[] {
  switch (terms.condition) {
    case 'risesTo':
    case 'fallsTo':
    case 'crosses':
    case 'isAbove':
    case 'isBelow':
      return checkLevel(terms, index)
    case 'entersBand':
    case 'leavesBand':
      return checkBand(terms, index)
    case 'moves':
      return [...checkMoveAmount(terms, index), ...checkWindow(terms, index)]
    case 'noUpdate':
      return checkSilence(terms.afterMs, index)
    case 'weightAtOrAbove':
    case 'weightAtOrBelow':
      return [...named('constituent', terms.constituent), ...checkShare(terms.weightPercent, 'weight')]
    case 'weightDrift':
      return [
        ...(terms.constituent === undefined ? [] : named('constituent', terms.constituent)),
        ...checkPositive(terms.points, 'drift', '2', '100'),
      ]
    case 'exchangeShareAtOrBelow':
      return [
        ...named('constituent', terms.constituent),
        ...named('exchange', terms.exchange),
        ...checkShare(terms.sharePercent, 'share'),
      ]
    case 'continuity':
      return checkPositive(terms.tolerancePercent, 'tolerance', '0.5', '100')
    default:
      return []
  }
}

function checkLevel({ level, rearmBand }: LevelTerms, index: IndexInfo | undefined): DraftProblem[] {
  const faults = checkValue('level', level, index)
  if (faults.length > 0 || rearmBand === undefined) return [...faults, ...checkBandNumber(rearmBand)]
  return checkRearmBand(rearmBand, level, index)
}

function checkBand({ low, high, rearmBand }: BandTerms, index: IndexInfo | undefined): DraftProblem[] {
  const faults = [...checkValue('level', low, index, 'lower end'), ...checkValue('high', high, index, 'upper end')]
  if (faults.length > 0) return [...faults, ...checkBandNumber(rearmBand)]
  if (isAtLeast(low, high)) return [at('high', 'The upper end must be above the lower end. Raise it, or swap the two.')]
  const number = checkBandNumber(rearmBand)
  if (number.length > 0 || rearmBand === undefined) return number
  // A re-arm band takes its width from both ends: what is left must be a band still.
  const room = rearmBand.unit === 'points' ? subtractDecimals(high, low) : percentChange(low, high, 6)
  if (room === undefined) return []
  const isTooWide = isAtLeast(twice(rearmBand.size), rearmBand.unit === 'points' ? room : `${room}e2`)
  return isTooWide ? [at('band', 'The re-arm band leaves nothing of the band between. Make it narrower.')] : []
}

/** A level or an end of a band. */
function checkValue(
  field: 'level' | 'high',
  text: string,
  index: IndexInfo | undefined,
  noun = 'level',
): DraftProblem[] {
  const fault = numberFault(text, noun, '68500.00')
  if (fault !== undefined) return [at(field, fault)]
  if (order(text, '0') !== -1 || !isNeverNegative(index)) return []
  return [at(field, `${index?.id ?? 'The index'} is never negative. Enter 0 or more.`)]
}

function checkBandNumber(band: RearmBand | undefined): DraftProblem[] {
  if (band === undefined) return []
  const fault = numberFault(band.size, 're-arm band', '5')
  if (fault !== undefined) return [at('band', fault)]
  return order(band.size, '0') === -1 ? [at('band', 'A re-arm band is 0 or more. Leave the minus out.')] : []
}

function checkRearmBand(band: RearmBand, level: string, index: IndexInfo | undefined): DraftProblem[] {
  const faults = checkBandNumber(band)
  if (faults.length > 0) return faults
  if (order(level, '0') === 0) {
    if (band.unit === 'points' || order(band.size, '0') === 0) return []
    return [at('band', 'Basis points of the level 0 are nothing. Give the re-arm band in points.')]
  }
  // Rates lie around zero, where a band wider than the level is sound.
  if (index !== undefined && !isNeverNegative(index)) return []
  const isTooWide = isAtLeast(band.size, band.unit === 'points' ? magnitude(level) : '10000')
  return isTooWide ? [at('band', 'The re-arm band is as wide as the level itself. Make it narrower.')] : []
}

function checkMoveAmount({ amount, unit, direction }: MoveTerms, index: IndexInfo | undefined): DraftProblem[] {
  const faults = checkPositive(amount, 'amount', '2')
  if (faults.length > 0) return faults
  const isImpossible =
    unit === 'percent' &&
    direction === 'down' &&
    isAbove(amount, '100') &&
    (index === undefined || isNeverNegative(index))
  return isImpossible ? [at('amount', 'A value cannot fall by more than 100 %. Enter less.')] : []
}

function checkWindow({ withinMs }: MoveTerms, index: IndexInfo | undefined): DraftProblem[] {
  const least = 2 * (index === undefined ? 1_000 : longestBetweenMs(index.maxResolution))
  const most = longestWindowMs(index?.maxResolution)
  const publications = index === undefined ? '' : `, two publications of ${index.id}`
  if (!(withinMs >= least)) return [at('window', `Choose a time of at least ${spanText(least)}${publications}.`)]
  if (withinMs <= most) return []
  const history = index === undefined ? 'No index' : index.id
  return [at('window', `Choose a time of at most ${spanText(most)}: ${history} has no longer history.`)]
}

function checkSilence(afterMs: number | undefined, index: IndexInfo | undefined): DraftProblem[] {
  if (afterMs === undefined) return []
  const usual = index === undefined ? 1_000 : longestBetweenMs(index.maxResolution)
  if (!(afterMs > usual)) {
    const reason = index === undefined ? '' : `: ${index.id} may take as long between two publications`
    return [at('after', `Choose more than ${spanText(usual)}${reason}.`)]
  }
  return afterMs > longestSilenceMs ? [at('after', `Choose at most ${spanText(longestSilenceMs)}.`)] : []
}

function checkShare(text: string, noun: 'weight' | 'share'): DraftProblem[] {
  const fault = numberFault(text, noun, '25')
  if (fault !== undefined) return [at('amount', fault)]
  const isOutside = order(text, '0') === -1 || isAbove(text, '100')
  return isOutside ? [at('amount', `A ${noun} is from 0 to 100 %. Enter one of these.`)] : []
}

function checkPositive(text: string, noun: string, example: string, most?: string): DraftProblem[] {
  const fault = numberFault(text, noun, example)
  if (fault !== undefined) return [at('amount', fault)]
  if (order(text, '0') !== 1) return [at('amount', `Enter a number above 0, such as ${example}.`)]
  return most !== undefined && isAbove(text, most) ? [at('amount', `Enter at most ${most}.`)] : []
}

function named(field: 'constituent' | 'exchange', text: string): DraftProblem[] {
  const article = field === 'constituent' ? 'a' : 'an'
  if (text.trim() === '') return [at(field, `Choose ${article} ${field}.`)]
  return text.length > 120 ? [at(field, 'A name has at most 120 characters. Shorten it.')] : []
}

function at(field: DraftProblem['field'], message: string): DraftProblem {
  return { field, message }
}
