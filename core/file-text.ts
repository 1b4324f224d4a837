/**
 * The text of a file: UTF-8, UTF-16 with a byte order mark, else Windows-1252, without the mark. Undefined if the file has
 * bytes that no text has.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const text = decoded(bytes)
  return text.includes('\0') ? undefined : text
}

function decoded(bytes: Uint8Array): string {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)
  if (mark === 0xfffe) return new TextDecoder('utf-16le').decode(bytes)
  if (mark === 0xfeff) return new TextDecoder('utf-16be').decode(bytes)
  return utf8Text(bytes) ?? new TextDecoder('windows-1252').decode(bytes)
}

/** The text in UTF-8, without a byte order mark. Undefined if the bytes are not UTF-8. */
export function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
