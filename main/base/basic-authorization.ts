/** The key as an HTTP Basic header (wire facts 1.1). Never part of an address: addresses end up in logs and errors. */
export function basicAuthorization(keyId: string, keySecret: string): string {
  return `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString('base64')}`
}
