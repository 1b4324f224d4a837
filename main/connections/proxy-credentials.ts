import { basicAuthorization } from '../base/http'
import type { SecretKeeper } from '../storage/secret-keeper'

/** Stored like a key, with an id that no profile can have. */
const id = ''

/** User name and password of a proxy, stored like keys and sent to no other proxy. */
export class ProxyCredentials {
  readonly #secrets: SecretKeeper
  readonly #hidden: Set<string>

  /** `hidden`: texts that the log removes. */
  constructor(secrets: SecretKeeper, hidden: Set<string>) {
    this.#secrets = secrets
    this.#hidden = hidden
  }

  /** Replaces the stored credentials of any proxy. Used immediately, and stored when the keyring has answered. */
  async save(proxy: string, name: string, password: string): Promise<void> {
    await this.#secrets.save(id, proxy, this.hide(basicAuthorization(name, password)))
  }

  /** The `Proxy-Authorization` header for a proxy `http://host:port`. Undefined if none is stored for it. */
  async authorization(proxy: string): Promise<string | undefined> {
    const authorization = await this.#secrets.load(id, proxy)
    return authorization === undefined ? undefined : this.hide(authorization)
  }

  /** Keeps every form of these credentials out of the log. */
  hide(authorization: string): string {
    const [, encoded = ''] = authorization.split(' ')
    const decoded = Buffer.from(encoded, 'base64').toString()
    for (const text of [encoded, decoded, decoded.slice(decoded.indexOf(':') + 1)]) this.#hidden.add(text)
    return authorization
  }
}
