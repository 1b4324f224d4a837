import { isPrivateWay } from '../../core/shapes'
import { ok, failure, type Outcome } from '../../core/model'

interface Start {
  /** As it was given when the app was built, or by a developer; empty where there is none. */
  address: string
  version: string
  isDemo: boolean
  isWatch: boolean
}

/**
 * Where this start looks for newer versions; `undefined`: nowhere, so that nothing is asked of anybody. Problem
 * `badEnvironment`: the address is none that may be asked.
 */
export function updateServer({ address, version, isDemo, isWatch }: Start): Outcome<URL | undefined> {
  if (address === '' || version.endsWith('-test') || isDemo || isWatch) return ok(undefined)
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url !== undefined && isPrivateWay(url) && url.username === '' && url.password === '') return ok(url)
  return failure('badEnvironment', 'INDEXWATCH_UPDATE_URL: enter an https:// address without a name or password.')
}
