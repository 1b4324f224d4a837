import type { SecretKept } from '../../../protocol/desktop'
import type { AuthForm, ConnectionProfile, Problem } from '../../../core/model'
import { knownServices, type KnownService } from '../../../core/services'

export type ProfileField = keyof ConnectionProfile | 'keySecret'

const fields: readonly ProfileField[] = ['name', 'webSocketUrl', 'restUrl', 'mcpUrl', 'keyId', 'keySecret']

/** The field that a refusal is about. Undefined if the form has no such field. */
export function fieldOf({ code, field }: Problem): ProfileField | undefined {
  return code === 'secretMissing' ? 'keySecret' : fields.find((name) => name === field)
}

/** The form of a connection, as typed. */
export type TypedProfile = Record<'name' | 'webSocketUrl' | 'restUrl' | 'mcpUrl' | 'keyId', string> & { auth: AuthForm }

export function typedFrom(stored: Partial<ConnectionProfile> | undefined): TypedProfile {
  return { name: '', webSocketUrl: '', restUrl: '', mcpUrl: '', keyId: '', auth: 'basic', ...stored }
}

/** What the form connects to. `demo` has no addresses. */
export type Service = KnownService | 'demo' | 'custom'

/** The service that the typed addresses belong to. */
export function serviceOf({ webSocketUrl, restUrl }: Pick<TypedProfile, 'webSocketUrl' | 'restUrl'>): Service {
  const known = (Object.keys(knownServices) as KnownService[]).find(
    (each) =>
      knownServices[each].webSocketUrl === webSocketUrl.trim() && knownServices[each].restUrl === restUrl.trim(),
  )
  return known ?? 'custom'
}

/** The fields that choosing a service fills in. A name that the user typed stays. */
export function fieldsOf(
  service: KnownService | 'custom',
  { name }: Pick<TypedProfile, 'name'>,
  stored: ConnectionProfile | undefined,
): Pick<TypedProfile, 'name' | 'webSocketUrl' | 'restUrl'> {
  const isOwnName = name !== '' && !Object.values(knownServices).some((each) => each.name === name)
  const chosen = service === 'custom' ? { name: '', webSocketUrl: '', restUrl: '' } : knownServices[service]
  const former = typedFrom(stored)
  const { webSocketUrl, restUrl } = service === 'custom' && serviceOf(former) === 'custom' ? former : chosen
  return { name: isOwnName ? name : chosen.name, webSocketUrl, restUrl }
}

/** True if the typed fields can change the result of a sign-in. */
export function isToSignIn(profile: ConnectionProfile, keySecret: string, stored?: ConnectionProfile): boolean {
  if (keySecret !== '' || stored === undefined) return true
  return (['webSocketUrl', 'keyId', 'auth'] as const).some((field) => profile[field] !== stored[field])
}

/** The host of an address. Empty if the address is not valid. */
export function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : ''
}

/** The typed connection. Empty optional fields are left out. Without a name it has that of its host. */
export function profileFrom(typed: TypedProfile, id: string, isEnabled: boolean): ConnectionProfile {
  const restUrl = typed.restUrl.trim()
  const mcpUrl = typed.mcpUrl.trim()
  return {
    id,
    name: typed.name.trim() || hostOf(typed.webSocketUrl),
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
