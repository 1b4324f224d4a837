import type { Message } from '../../../simulator/tamper'
import type { Mutant } from './mutant'

interface Tool extends Message {
  readonly name: string
}

/** A mutant that changes the result of a tool list or a tool call. */
function results(name: string, change: (result: Message) => Message): Mutant {
  return {
    name,
    ...{ section: '4.3', file: 'assistant-tools' },
    tamper: {
      rpc: (response) =>
        'result' in response ? { ...response, result: change(response['result'] as Message) } : response,
    },
  }
}

function listings(name: string, change: (tools: readonly Tool[]) => readonly Message[]): Mutant {
  return results(name, (result) =>
    'tools' in result ? { ...result, tools: change(result['tools'] as readonly Tool[]) } : result,
  )
}

/** Violations of the assistant tools. */
export const toolMutants: readonly Mutant[] = [
  listings('a tool is missing', (tools) => tools.filter(({ name }) => name !== 'get_factors_data')),
  listings('tools have no description', (tools) => tools.map((tool) => ({ ...tool, description: '' }))),
  results('a failed call is returned as a success', (result) =>
    'isError' in result ? { ...result, isError: false, structuredContent: {} } : result,
  ),
]
