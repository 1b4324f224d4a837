import type { Message } from '../../../simulator/tamper'
import type { Mutant } from './mutant'

interface Tool extends Message {
  readonly name: string
}

/** Changes the result of an answer, of a listing or of a call. */
function results(name: string, change: (result: Message) => Message): Mutant {
  return {
    name,
    ...{ section: '4.3', file: 'assistant-tools' },
    tamper: {
      rpc: (answer) => ('result' in answer ? { ...answer, result: change(answer['result'] as Message) } : answer),
    },
  }
}

function listings(name: string, change: (tools: readonly Tool[]) => readonly Message[]): Mutant {
  return results(name, (result) =>
    'tools' in result ? { ...result, tools: change(result['tools'] as readonly Tool[]) } : result,
  )
}

/** What can go wrong with the assistant tools. */
export const toolMutants: readonly Mutant[] = [
  listings('a tool is missing', (tools) => tools.filter(({ name }) => name !== 'get_factors_data')),
  listings('tools do not say what they do', (tools) => tools.map((tool) => ({ ...tool, description: '' }))),
  results('a failed call passes for a good one', (result) =>
    'isError' in result ? { ...result, isError: false, structuredContent: {} } : result,
  ),
]
