import * as v from 'valibot'

const secretSchema = v.object({
  backend: v.string(),
  keyId: v.string(),
  blob: v.pipe(v.string(), v.base64()),
})
/** A secret as the keyring encrypted it, and which key it belongs to. */
export type EncryptedSecret = v.InferOutput<typeof secretSchema>

/** Secrets by the id of their profile. */
const documentSchema = v.object({ version: v.literal(2), secrets: v.record(v.string(), secretSchema) })
export type SecretDocument = v.InferOutput<typeof documentSchema>

const firstDocumentSchema = v.object({ version: v.literal(1), secret: v.nullable(secretSchema) })
/** The one profile of version 1, as the settings of that time are read now. */
const firstProfileId = 'profile'

/** The secrets in a document of this or the first version, by profile; `undefined` when it cannot be read. */
export function readSecrets(document: unknown): Map<string, EncryptedSecret> | undefined {
  const present = v.safeParse(documentSchema, document)
  if (present.success) return new Map(Object.entries(present.output.secrets))
  const first = v.safeParse(firstDocumentSchema, document)
  if (!first.success) return undefined
  const { secret } = first.output
  return new Map(secret === null ? [] : [[firstProfileId, secret]])
}

export function toSecretDocument(secrets: ReadonlyMap<string, EncryptedSecret>): SecretDocument {
  return { version: 2, secrets: Object.fromEntries(secrets) }
}
