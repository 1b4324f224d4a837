import { keyMutants } from './key-mutants'
import type { Mutant } from './mutant'
import { restMutants } from './rest-mutants'
import { streamMutants } from './stream-mutants'
import { toolMutants } from './tool-mutants'

/** The control: every kind of tampering is installed but changes nothing, so the suite must pass. */
const harmless: Mutant = {
  name: 'nothing',
  section: '',
  file: '',
  tamper: {
    request: () => undefined,
    reply: (_path, reply) => reply,
    rpc: (response) => response,
    connection: () => ({ received: (command) => command, sent: (message) => [message] }),
  },
}

export const mutants: readonly Mutant[] = [...streamMutants, ...restMutants, ...toolMutants, ...keyMutants]

/** The mutant of this name. `nothing` is the harmless one. Throws `RangeError` for an unknown name. */
export function mutantNamed(name: string): Mutant {
  const found = [harmless, ...mutants].find((mutant) => mutant.name === name)
  if (found === undefined) throw new RangeError(`there is no mutant ${name}`)
  return found
}
