import type { SecretKept } from '../../../protocol/desktop'
import type { AuthForm, ConnectionProfile, Problem } from '../../../core/model'

export type ProfileField = keyof ConnectionProfile | 'keySecret'

const fields: readonly ProfileField[] = ['name', 'webSocketUrl', 'restUrl', 'mcpUrl', 'keyId', 'keySecret']

/** The field that a refusal is about. Undefined if the form has no such field. */
export function fieldOf({ code, field }: Problem): ProfileField | undefined {
  return code === 'secretMissing' ? 'keySecret' : fields.find((name) => name === field)
}

/** The form of a connection, as typed. */
export type TypedProfile = Record<'name' | 'webSocketUrl' | 'restUrl' | 'mcpUrl' | 'keyId', string> & { auth: AuthForm }

export function typedFrom(stored: ConnectionProfile | undefined): TypedProfile {
  return { name: '', webSocketUrl: '', restUrl: '', mcpUrl: '', keyId: '', auth: 'basic', ...stored }
}

/** The typed connection. Empty optional fields are left out. */
export function profileFrom(typed: TypedProfile, id: string, isEnabled: boolean): ConnectionProfile {
  const restUrl = typed.restUrl.trim()
  const mcpUrl = typed.mcpUrl.trim()
  return {
    id,
    name: typed.name.trim(),
    auth: typed.auth,
    isEnabled,
    webSocketUrl: typed.webSocketUrl.trim(),
    ...(restUrl === '' ? {} : { restUrl }),
    ...(mcpUrl === '' ? {} : { mcpUrl }),
    keyId: typed.keyId.trim(),
  }
}

export const keptWords: Record<SecretKept, string> = {
  keyring: "in this system's keyring",
  session: 'until Indexwatch quits',
}

/** The hint below the field of the secret. The field never shows a stored secret. */
export function secretHint(stored: ConnectionProfile | undefined, typed: TypedProfile, kept?: SecretKept): string {
  if (stored === undefined) {
    return "Stored in this system's keyring, or until Indexwatch quits if there is no keyring. Never in a file."
  }
  if (kept === undefined) return `No secret is stored for ${stored.keyId}. Enter it here.`
  const now = profileFrom(typed, stored.id, stored.isEnabled)
  const goesElsewhere = (['webSocketUrl', 'restUrl', 'mcpUrl', 'keyId'] as const).some(
    (field) => now[field] !== stored[field],
  )
  if (goesElsewhere) return 'The address or the key id has changed. Enter the secret again.'
  return `The secret for ${stored.keyId} is stored ${keptWords[kept]}. Leave this empty to keep it.`
}
