import { onTestFinished } from 'vitest'
import { Counters } from '../../main/base/log'
import { RestClient } from '../../main/rest/client'
import { FakeClock } from './fake-clock'
import { RecordedLog } from './recorded-log'
import { ScriptedService } from './scripted-service'

/**
 * A REST client on a fake clock with a scripted service on a real socket. Both end with the test. The key is `reader`
 * with `correct horse`.
 */
export async function openRest(options: { baseUrl?: string; tls?: { key: string; cert: string } } = {}) {
  const service = await ScriptedService.start(options.tls === undefined ? {} : { tls: options.tls })
  const clock = new FakeClock()
  const log = new RecordedLog()
  const counters = new Counters()
  const client = new RestClient({
    baseUrl: options.baseUrl ?? service.restUrl,
    keyId: 'reader',
    keySecret: 'correct horse',
    clock,
    log,
    counters,
    random: () => 0.5,
  })
  onTestFinished(async () => {
    client.dispose()
    await service.stop()
  })
  return { service, clock, log, counters, client }
}
