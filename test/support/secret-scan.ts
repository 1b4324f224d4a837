import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Every form in which a key pair is sent or could leak. */
export function secretForms(keyId: string, keySecret: string): string[] {
  const base64 = (text: string) => Buffer.from(text).toString('base64').replace(/=+$/, '')
  return [
    keySecret,
    base64(keySecret),
    base64(`${keyId}:${keySecret}`),
    encodeURIComponent(keySecret),
    Buffer.from(keySecret).toString('hex'),
  ]
}

/** Returns the forms that `bytes` contains, as UTF-8 or UTF-16. */
export function formsIn(bytes: Buffer, forms: readonly string[]): string[] {
  return forms.filter((form) => bytes.includes(form) || bytes.includes(Buffer.from(form, 'utf16le')))
}

/** Returns the files under `folder` that contain one of the forms. */
export async function filesWith(folder: string, forms: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const hits = await Promise.all(
    // A file may disappear while others are read.
    paths.map(async (path) => formsIn(await readFile(path).catch(() => Buffer.alloc(0)), forms).length > 0),
  )
  return paths.filter((_, at) => hits[at])
}
