/** A command as received: a JSON object with a `type`. Its other fields are not validated yet. */
export interface Command {
  readonly type: string
  readonly id: unknown
  readonly stream: unknown
  readonly maxResolution: unknown
}

/** Reads a message. Undefined if it is not a JSON object with a type. */
export function readCommand(text: string): Command | undefined {
  const message = parse(text)
  if (typeof message !== 'object' || message === null) return undefined
  const { type, id, stream, maxResolution } = message as Record<string, unknown>
  return typeof type === 'string' ? { type, id, stream, maxResolution } : undefined
}

/** The failure message of a command (protocol, 2.6): the command and the reason. */
export function failureFrame({ type, id, stream }: Command, reason: string): string {
  return JSON.stringify({
    type,
    ...(typeof id === 'string' && { id }),
    ...(typeof stream === 'string' && { stream }),
    ...{ success: false, reason },
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
