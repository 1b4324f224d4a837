import { nkeys } from '@nats-io/transport-node'

type KeyPair = nkeys.KeyPair

/** A token of NATS: the claims of a subject, signed by its issuer. */
function token(issuer: KeyPair, subject: KeyPair, name: string, nats: object): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { jti: name, iat: 1_700_000_000, iss: issuer.getPublicKey(), sub: subject.getPublicKey(), name, nats }
  const signed = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(claims)}`
  return `${signed}.${Buffer.from(issuer.sign(Buffer.from(signed))).toString('base64url')}`
}

const unlimited = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 }

/** The configuration of a server that accepts credentials files only, and a function that makes such a file. */
export function natsWithCredentials() {
  const [operator, account, system] = [nkeys.createOperator(), nkeys.createAccount(), nkeys.createAccount()]
  const storage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 }
  const accountToken = (of: KeyPair, name: string, more: object) =>
    token(operator, of, name, { type: 'account', version: 2, limits: { ...unlimited, ...more } })
  const configuration = `
    operator: "${token(operator, operator, 'O', { type: 'operator', version: 2 })}"
    system_account: ${system.getPublicKey()}
    resolver: MEMORY
    resolver_preload: {
      ${account.getPublicKey()}: "${accountToken(account, 'D', storage)}"
      ${system.getPublicKey()}: "${accountToken(system, 'SYS', {})}"
    }`
  const credentialsOf = (name: string) => {
    const user = nkeys.createUser()
    const limits = { subs: -1, data: -1, payload: -1 }
    const lines = [
      '-----BEGIN NATS USER JWT-----',
      token(account, user, name, { type: 'user', version: 2, pub: {}, sub: {}, ...limits }),
      '------END NATS USER JWT------',
      '',
      '-----BEGIN USER NKEY SEED-----',
      Buffer.from(user.getSeed()).toString(),
      '------END USER NKEY SEED------',
      '',
    ]
    return lines.join('\n')
  }
  return { configuration, credentialsOf }
}
