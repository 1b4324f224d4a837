import type { ScriptedService } from './scripted-service'
import { failureBody, successBody } from './scripted-service'

const indices = [
  {
    id: 'BRTI',
    name: 'CME CF Bitcoin Real Time Index',
    decimals: 2,
    base: 'BTC',
    quote: 'USD',
    maxResolution: 'PER_200MS',
  },
  { id: 'BRR', name: 'CME CF Bitcoin Reference Rate', decimals: 2, base: 'BTC', quote: 'USD', maxResolution: 'DAILY' },
]

/** Lets a scripted service answer REST with the catalogue plus `more`. All other requests get `Unknown id`. */
export function serveCatalogue(service: ScriptedService, more: readonly object[] = []): void {
  service.answerOthers = { status: 400, body: failureBody('Unknown id') }
  service.routes.set('indices', {
    body: successBody([...indices, ...more].map((index) => ({ ...index, demiseDateTime: null }))),
  })
}

/** The addresses and the key of a scripted service. */
export function addressOf(service: ScriptedService): { ws: string; rest: string; keyId: string; keySecret: string } {
  return { ws: service.webSocketUrl, rest: service.restUrl, keyId: 'e2e-key', keySecret: 'e2e-canary-4c1f9d' }
}
