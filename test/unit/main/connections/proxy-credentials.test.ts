import { expect, test } from 'vitest'
import { ProxyCredentials } from '../../../../main/connections/proxy-credentials'
import type { SecretKeeper } from '../../../../main/storage/secret-keeper'

/** A keeper for one text of one proxy. */
function keeper() {
  const kept = new Map<string, string>()
  const secrets = {
    save: (_id: string, proxy: string, text: string) => {
      kept.clear()
      kept.set(proxy, text)
      return Promise.resolve('keyring')
    },
    load: (_id: string, proxy: string) => Promise.resolve(kept.get(proxy)),
  }
  return secrets as unknown as SecretKeeper
}

test('credentials go only to their own proxy, and every form is hidden', async () => {
  const secrets = keeper()
  const hidden = new Set<string>()
  const encoded = Buffer.from('reader:correct:horse').toString('base64')
  const forms = [encoded, 'reader:correct:horse', 'correct:horse']
  await new ProxyCredentials(secrets, hidden).save('http://office:3128', 'reader', 'correct:horse')
  expect([...hidden]).toEqual(forms)
  const afterRestart = new Set<string>()
  const credentials = new ProxyCredentials(secrets, afterRestart)
  expect(await credentials.authorization('http://other:3128')).toBeUndefined()
  expect(await credentials.authorization('http://office:3128')).toBe(`Basic ${encoded}`)
  expect([...afterRestart]).toEqual(forms)
})
