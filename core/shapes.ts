/** Schemas and checks that several validators share. */
import * as v from 'valibot'
import { formulaIdForm, formulaProblem, parseFormula, serviceIdForm, typedMean } from './formula-id'

const serviceIdPattern = new RegExp(`^${serviceIdForm}$`)

/** Whether a service may use this id for an index. False for a formula. */
export function isServiceId(id: unknown): id is string {
  return typeof id === 'string' && serviceIdPattern.test(id)
}

/** Whether this may be the id of an index or of a formula. */
export function isIndexId(id: unknown): id is string {
  return isServiceId(id) || (typeof id === 'string' && parseFormula(id) !== undefined)
}

const idWords =
  'An index id has letters, digits, "_", "." and "-" only, at most 64. A formula is written like BRTI \u2212 BRR or mean(BRTI, 60).'

/** Why a text is not the id of an index or of a formula. */
export function idProblem(text: string): string {
  const mean = typedMean(text)
  return (mean && formulaProblem(mean)) ?? idWords
}

/** The id of an index or a formula: all that can be in a list or have alerts. */
export const indexIdSchema = v.pipe(
  v.string(),
  v.regex(new RegExp(`^(?:${serviceIdForm}|${formulaIdForm})$`), idWords),
  v.check((id): boolean => isIndexId(id), idWords),
)

/** Maximum number of pinned indices and of indices in the ticker. */
export const maxGlanceIds = 10

/** Stored ids for tray and ticker. Drops invalid and surplus ones. */
export const storedGlanceIds = v.pipe(
  v.array(v.unknown()),
  v.transform((ids) => [...new Set(ids.filter(isIndexId))].slice(0, maxGlanceIds)),
)

/** A time of day, `00:00` to `23:59`. */
export const clockPattern = /^([01]\d|2[0-3]):[0-5]\d$/

/** Whether this names one zone on every computer, such as `Europe/London`. False for `system`. */
export function isNamedZone(name: string): boolean {
  return name !== 'system' && isTimeZone(name)
}

/**
 * Cache, because asking the platform takes 0.1 ms and every stored rule with hours has a zone. Only valid names, which
 * limits its size.
 */
const knownZones = new Set(['system'])

/** Whether this names a zone such as `Europe/London`, or `system`. */
export function isTimeZone(name: string): boolean {
  if (knownZones.has(name)) return true
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    return false
  }
  knownZones.add(name)
  return true
}

/**
 * Normalises the address of a proxy that a user typed or that the environment has to `http://host:3128`. The default
 * scheme is http. Drops name and password. Undefined if it cannot be used.
 */
export function proxyAddress(text: string): string | undefined {
  const address = text.includes('://') ? text : `http://${text}`
  if (!URL.canParse(address)) return undefined
  const { protocol, host, port } = new URL(address)
  if (host === '' || (protocol !== 'http:' && protocol !== 'https:')) return undefined
  if (port !== '') return `${protocol}//${host}`
  return `${protocol}//${host}:${protocol === 'https:' ? '443' : '80'}`
}

/** Whether the address of a proxy contains a name or password. */
export function namesUser(text: string): boolean {
  const address = text.includes('://') ? text : `http://${text}`
  if (!URL.canParse(address)) return false
  const { username, password } = new URL(address)
  return username !== '' || password !== ''
}

const maxUrl = 2_048
/** Whether a host, without its port, is this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
}

/** Whether no third party can read what is sent there: https, or on this machine. */
export function isPrivateWay({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/** Why this cannot be the address of a webhook, and what to do. Undefined if it can. */
export function webhookProblem(text: string): string | undefined {
  if (text.length > maxUrl) return `The address has more than ${maxUrl} characters. Choose another.`
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !isPrivateWay(url)) {
    return 'Enter an address that begins with https://, such as https://example.com/hook.'
  }
  if (url.username === '' && url.password === '') return undefined
  return 'Leave name and password out of the address. It is stored and shown as entered.'
}

/** The latest time of a `Date`. */
export const maxTimeMs = 8.64e15
export const timeSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(maxTimeMs))
/** A count, or a time in milliseconds, of at least one. */
export const countSchema = v.pipe(v.number(), v.safeInteger(), v.minValue(1))

export const localIdSchema = v.pipe(v.string(), v.minLength(1), v.maxLength(64))
export const nameSchema = v.pipe(v.string(), v.minLength(1), v.maxLength(120))
