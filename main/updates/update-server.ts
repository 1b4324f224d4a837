import { isPrivateWay } from '../../core/shapes'
import { ok, failure, type Outcome } from '../../core/model'

interface Start {
  /** From the build or a developer. Empty if there is none. */
  address: string
  version: string
  isDemo: boolean
  isWatch: boolean
}

/**
 * The address for updates of this start. Undefined if it makes no requests. Problem `badEnvironment` if the address is
 * not allowed.
 */
export function updateServer({ address, version, isDemo, isWatch }: Start): Outcome<URL | undefined> {
  if (address === '' || version.endsWith('-test') || isDemo || isWatch) return ok(undefined)
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url !== undefined && isPrivateWay(url) && url.username === '' && url.password === '') return ok(url)
  return failure('badEnvironment', 'INDEXWATCH_UPDATE_URL: enter an https:// address without a name or password.')
}
