/** Links that open the app: `indexwatch://…`. They show something and never change anything. */
import * as v from 'valibot'
import { ok, failure, type DecimalText, type IndexId, type Outcome } from '../../core/model'
import { isDecimalText } from '../../core/decimal'
import { listNameSchema } from '../../core/settings-schema'
import { indexIdSchema } from '../../core/shapes'
import { percentDecoded } from '../base/sanitize'

export const linkScheme = 'indexwatch'

export type DeepLink =
  | { to: 'index'; indexId: IndexId }
  | { to: 'list'; name: string }
  /** The dialog of a new alert, filled in with what the link contains. */
  | { to: 'newAlert'; indexId?: IndexId; level?: DecimalText }

const maxLength = 500
const maxLevelLength = 40

/** True if an argument is a link of ours, valid or not. */
export function isLink(argument: string): boolean {
  return argument.toLowerCase().startsWith(`${linkScheme}:`)
}

/** The link among a start's arguments, at any position. */
export function linkAmong(argv: readonly string[]): string | undefined {
  return argv.find(isLink)
}

const refused = (why: string) => failure('badLink', `The link was not opened: ${why}`)

const examples = 'links look like indexwatch://index/BRTI, indexwatch://list/NAME or indexwatch://alert/new?index=BRTI.'

/** Reads a link. Anything else than a valid link is refused (`badLink`) with the reason. */
export function readDeepLink(text: string): Outcome<DeepLink> {
  if (text.length > maxLength) return refused('the link is too long.')
  if (!URL.canParse(text)) return refused('the link cannot be read.')
  const url = new URL(text)
  const { protocol, pathname, username, password, port, hash, searchParams } = url
  // Browsers lowercase a host, but not that of a custom scheme.
  const host = url.host.toLowerCase()
  const [first, ...more] = pathname.replace(/^\//, '').replace(/\/$/, '').split('/').map(percentDecoded)
  const isPlain = [username, password, port, hash].every((each) => each === '')
  if (protocol !== `${linkScheme}:` || first === undefined || !isPlain) return refused(examples)
  if (more.length > 0 || (host !== 'alert' && url.search !== '')) return refused(examples)
  if (host === 'index') return readIndexLink(first)
  if (host === 'list') return readListLink(first)
  return host === 'alert' && first === 'new' ? readAlertLink(searchParams) : refused(examples)
}

function readIndexLink(id: string): Outcome<DeepLink> {
  if (!v.is(indexIdSchema, id)) return refused('it contains no index id, such as BRTI.')
  return ok({ to: 'index', indexId: id })
}

function readListLink(text: string): Outcome<DeepLink> {
  const name = v.safeParse(listNameSchema, text)
  return name.success ? ok({ to: 'list', name: name.output }) : refused('it contains no watchlist name.')
}

function readAlertLink(given: URLSearchParams): Outcome<DeepLink> {
  const names = [...given.keys()]
  const isKnown = names.every((name) => name === 'index' || name === 'level') && new Set(names).size === names.length
  if (!isKnown) return refused('a new alert takes index and level, each at most once.')
  const indexId = given.get('index') ?? undefined
  const level = given.get('level') ?? undefined
  if (indexId !== undefined && !v.is(indexIdSchema, indexId)) return refused('it contains no index id, such as BRTI.')
  const isLevel = level === undefined || (level.length <= maxLevelLength && isDecimalText(level))
  if (!isLevel) return refused('a level is a number such as 68500.00.')
  return ok({ to: 'newAlert', indexId, level })
}
