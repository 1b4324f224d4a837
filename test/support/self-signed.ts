import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'

/** ASN.1 in DER: tag, length, content. */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...head]), content])
}

const dayMs = 86_400_000
const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const utcTime = (ms: number) => der(0x17, Buffer.from(`${new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)}Z`))
const nameOf = (text: string) => sequence(der(0x31, sequence(objectId('550403'), der(0x0c, Buffer.from(text)))))
const isAuthority = sequence(
  objectId('551d13'),
  der(0x01, Buffer.from([0xff])),
  der(0x04, sequence(der(0x01, Buffer.from([0xff])))),
)
const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'))

export interface TlsFiles {
  key: string
  cert: string
}

interface Wanted {
  subject: string
  /** By default the certificate itself. */
  issuer?: { name: string; key: KeyObject }
  /** The IPv4 address of the server. Undefined for an authority. */
  address?: readonly [number, number, number, number]
  endsInDays?: number
}

function certificate({ subject, issuer, address, endsInDays = 1 }: Wanted): TlsFiles & { privateKey: KeyObject } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const nowMs = Date.now()
  const alternativeName = (bytes: readonly number[]) =>
    sequence(objectId('551d11'), der(0x04, sequence(der(0x87, Buffer.from(bytes)))))
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([address === undefined ? 1 : 2])),
    ecdsaWithSha256,
    nameOf(issuer?.name ?? subject),
    sequence(utcTime(nowMs - 3 * dayMs), utcTime(nowMs + endsInDays * dayMs)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(address === undefined ? isAuthority : alternativeName(address))),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, issuer?.key ?? privateKey))
  const text = sequence(body, ecdsaWithSha256, signature).toString('base64')
  return {
    privateKey,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
  }
}

/** A self-signed certificate for 127.0.0.1, created without a tool or a stored key. */
export function selfSignedCertificate(): TlsFiles {
  return certificate({ subject: 'Scripted service', address: [127, 0, 0, 1] })
}

/** A private authority, like a company's, and the certificates that it issues. */
export class PrivateAuthority {
  readonly #own: TlsFiles & { privateKey: KeyObject }
  readonly #name: string

  constructor(name: string) {
    this.#name = name
    this.#own = certificate({ subject: name })
  }

  /** The certificate to trust, in PEM. */
  get cert(): string {
    return this.#own.cert
  }

  issue(more: Pick<Wanted, 'address' | 'endsInDays'> = {}): TlsFiles {
    const issuer = { name: this.#name, key: this.#own.privateKey }
    return certificate({ subject: 'Scripted service', issuer, address: [127, 0, 0, 1], ...more })
  }
}
