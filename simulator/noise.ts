const yearMs = 365 * 86_400_000
const minPeriodMs = 150
const periodRatio = 4
const twoTo32 = 2 ** 32
/** Scales the increments of a path to the variance of its volatility. A test checks it. */
const varianceScale = 1.5

function mix(hash: number, word: number): number {
  let mixed = Math.imul(hash ^ word, 0x9e3779b1)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}

function mixInteger(hash: number, integer: number): number {
  return mix(mix(hash, integer | 0), Math.floor(integer / twoTo32) | 0)
}

/** A 32-bit key from integers and strings, the same on every machine. */
export function keyOf(...parts: readonly (number | string)[]): number {
  return longerKey(0x2545f491, parts)
}

/** Extends a key by further parts. */
function longerKey(key: number, parts: readonly (number | string)[]): number {
  let hash = key
  for (const part of parts) {
    if (typeof part === 'number') hash = mixInteger(hash, part)
    else for (let at = 0; at < part.length; at++) hash = mix(hash, part.charCodeAt(at))
    // Separates the parts, so that ('AB', 'C') and ('A', 'BC') differ.
    hash = mix(hash, 0x1f)
  }
  return hash >>> 0
}

/** A number in [0, 1), fixed for these parts. */
export function chanceOf(...parts: readonly (number | string)[]): number {
  return keyOf(...parts) / twoTo32
}

/** `chanceOf` for parts whose first ones are given by their key. */
export function chanceFrom(key: number, ...parts: readonly (number | string)[]): number {
  return longerKey(key, parts) / twoTo32
}

interface Octave {
  readonly key: number
  readonly periodMs: number
  readonly phaseMs: number
  readonly amplitude: number
  bucket: number
  left: number
  right: number
}

/** Size and speed of a path's movement. */
export interface PathShape {
  /** Annualised volatility of the movement within a day, as a fraction: 0.5 is 50 %. */
  readonly volatility: number
  /** Slower movements are omitted, which keeps the path near zero. */
  readonly maxPeriodMs: number
}

/**
 * A continuous random path around zero that can be read at any time without reading earlier times. It is a sum of
 * linearly interpolated noises, each four times slower and twice as large as the one before. The variance of its
 * increments grows with the time between them, as for prices. The path does not jump where a noise reaches its next
 * knot. The state kept between calls only saves work and does not change the result.
 */
export class NoisePath {
  readonly #octaves: Octave[] = []
  #timeMs = Number.NaN
  #height = 0

  constructor(key: number, { volatility, maxPeriodMs }: PathShape) {
    for (let periodMs = minPeriodMs, at = 0; periodMs <= maxPeriodMs; periodMs *= periodRatio, at++) {
      const octaveKey = keyOf(key, at)
      this.#octaves.push({
        key: octaveKey,
        periodMs,
        phaseMs: Math.floor(chanceOf(octaveKey, 'phase') * periodMs),
        amplitude: volatility * Math.sqrt((varianceScale * periodMs) / yearMs),
        bucket: Number.NaN,
        left: 0,
        right: 0,
      })
    }
  }

  /** The dimensionless path at a time: the logarithm of a price relative to its base level. */
  at(timeMs: number): number {
    if (timeMs === this.#timeMs) return this.#height
    let height = 0
    for (const octave of this.#octaves) {
      const position = (timeMs + octave.phaseMs) / octave.periodMs
      const bucket = Math.floor(position)
      if (bucket !== octave.bucket) enterBucket(octave, bucket)
      height += octave.amplitude * (octave.left + (octave.right - octave.left) * (position - bucket))
    }
    this.#timeMs = timeMs
    this.#height = height
    return height
  }
}

function knot(key: number, bucket: number): number {
  return (mixInteger(key, bucket) >>> 0) / (twoTo32 / 2) - 1
}

function enterBucket(octave: Octave, bucket: number): void {
  octave.left = bucket === octave.bucket + 1 ? octave.right : knot(octave.key, bucket)
  octave.right = knot(octave.key, bucket + 1)
  octave.bucket = bucket
}
