import { basicAuthorization } from '../base/http'
import type { SecretKeeper } from '../storage/secret-keeper'

/** Among the keys, by an id that no profile can have. */
const id = ''

/** Name and password of a proxy, kept as the keys are and sent to no other proxy. */
export class ProxyCredentials {
  readonly #secrets: SecretKeeper
  readonly #hidden: Set<string>

  /** `hidden`: texts the log takes out. */
  constructor(secrets: SecretKeeper, hidden: Set<string>) {
    this.#secrets = secrets
    this.#hidden = hidden
  }

  /** Replaces the saved name and password of any proxy. They apply at once and are saved when the keyring has answered. */
  async save(proxy: string, name: string, password: string): Promise<void> {
    await this.#secrets.save(id, proxy, this.hide(basicAuthorization(name, password)))
  }

  /** For `Proxy-Authorization`; `undefined`: none is kept for this proxy, `http://host:port`. */
  async authorization(proxy: string): Promise<string | undefined> {
    const authorization = await this.#secrets.load(id, proxy)
    return authorization === undefined ? undefined : this.hide(authorization)
  }

  /** Keeps what a `Proxy-Authorization` says out of the log, in every form of it. */
  hide(authorization: string): string {
    const [, encoded = ''] = authorization.split(' ')
    const decoded = Buffer.from(encoded, 'base64').toString()
    for (const text of [encoded, decoded, decoded.slice(decoded.indexOf(':') + 1)]) this.#hidden.add(text)
    return authorization
  }
}
