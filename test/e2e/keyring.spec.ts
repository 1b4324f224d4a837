import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test as base } from '../support/app-test'
import { Keyring } from '../support/keyring'
import { launchPlainly } from '../support/plain-app'
import { holdersOf } from '../support/process-memory'
import { filesWith, secretForms } from '../support/secret-scan'

const mine = { id: 'mine', name: 'Mine', auth: 'basic', isEnabled: true } as const

const test = base.extend<{ keyring: Keyring }>({
  keyring: async ({ bench }, use) => {
    const keyring = await Keyring.start(bench.environment())
    await use(keyring)
    await keyring.stop()
  },
})

test('a key survives a restart in the keyring, and without a keyring it must be entered again', async ({
  bench,
  service,
  keyring,
}) => {
  const [keyId, keySecret] = ['key-of-mine', 'canary-7f3a-of-mine']
  const authorization = `Basic ${btoa(`${keyId}:${keySecret}`)}`
  const lastKey = () => service.handshakes.at(-1)?.authorization
  const first = await launchPlainly(bench)
  const { watch } = first
  await watch.expectState('Demo')
  const profile = { ...mine, webSocketUrl: service.webSocketUrl, restUrl: service.restUrl, keyId }
  expect(await watch.ask('saveProfile', { profile, keySecret })).toEqual({ ok: true, value: { kept: 'keyring' } })
  await expect(watch.connection).toHaveText('Live')
  expect(lastKey()).toBe(authorization)
  await first.quit()
  // Only the keyring can decrypt the stored secret. Chromium's fallback with a public key is "v10".
  expect(await filesWith(bench.userData, secretForms(keyId, keySecret))).toEqual([])
  const kept = await readFile(join(bench.userData, 'secret.json'), 'utf8')
  expect(kept).toContain('gnome_libsecret')
  const blob = /"blob":\s*"([^"]+)"/.exec(kept)?.[1] ?? ''
  expect(Buffer.from(blob, 'base64').subarray(0, 3).toString()).toBe('v11')

  const second = await launchPlainly(bench)
  await expect(second.watch.connection).toHaveText('Live')
  expect(service.handshakes).toHaveLength(2)
  expect(lastKey()).toBe(authorization)
  // A key from the keyring is in the main process only. Finding it there proves that the search works.
  expect(await holdersOf(second.pid, secretForms(keyId, keySecret))).toEqual(['browser'])
  await second.quit()

  await keyring.stop()
  const third = await launchPlainly(bench)
  const without = third.watch
  await without.expectState('Alerts are off: the key is not available')
  await expect(without.page.getByText('Enter it again in Settings')).toBeVisible()
  expect((await without.ids()).length).toBeGreaterThan(0)
  await third.quit()
})
