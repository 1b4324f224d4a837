/** How a user of a desk's server signs in. */
import type { SignIn } from '../desk/link'

/** The secret is a password, or the text of a credentials file of NATS, which names the user itself. */
export function signInWith(user: string, secret: string): SignIn {
  return isCredentials(secret) ? { credentials: secret } : { user, password: secret }
}

export function isCredentials(text: string): boolean {
  return text.includes('BEGIN NATS USER JWT')
}

/** The parts that the log must not show. */
export function secretsIn(signIn: SignIn): string[] {
  return 'password' in signIn ? [signIn.password] : signIn.credentials.split(/\s+/).filter((word) => word.length > 40)
}
