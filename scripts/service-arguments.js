// @ts-check
import { parseArgs } from 'node:util'

export const serviceUsage = `Usage: npm run test:service                    against a simulator of its own
       npm run test:service -- [FILE…]         some files of the suite alone
       npm run test:service -- --ws URL --rest URL [--mcp URL] --key-id ID --key-secret SECRET [--index KIND=ID…]
       npm run test:service -- --mutants
       npm run test:service -- --write-table   writes docs/reports/conformance.md`

/** The suite needs one index of each kind. The user may name its id. */
export const indexKinds = /** @type {const} */ ([
  'every200ms',
  'everySecond',
  'daily',
  'basket',
  'exchangeFamily',
  'rewardRate',
  'tokenizedEquity',
])

/**
 * @typedef {object} Service a service of another program, in the form of test/service/conformance/service.ts
 * @property {string} ws
 * @property {string} rest
 * @property {string | null} mcp
 * @property {string} keyId
 * @property {string} keySecret
 * @property {false} isOurs
 * @property {Record<string, string>} indices
 * @typedef {{ task: 'suite', service?: Service, filters: string[] } | { task: 'mutants' }
 *   | { task: 'table' }} ServiceTask
 */

const text = /** @type {const} */ ({ type: 'string' })
const flag = /** @type {const} */ ({ type: 'boolean' })
const options = {
  ...{ ws: text, rest: text, mcp: text, 'key-id': text, 'key-secret': text },
  index: /** @type {const} */ ({ type: 'string', multiple: true }),
  ...{ mutants: flag, 'write-table': flag },
}

/**
 * @param {string[]} args
 * @returns {ServiceTask | string} what to do, or a message that says what is wrong with the arguments
 */
export function readServiceArguments(args) {
  let given
  try {
    given = parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  const { values, positionals } = given
  if (values['write-table']) return { task: 'table' }
  if (values.mutants) return { task: 'mutants' }
  const service = serviceIn(values)
  if (typeof service === 'string') return service
  return { task: 'suite', filters: positionals, ...(service && { service }) }
}

/**
 * @param {{ ws?: string, rest?: string, mcp?: string, 'key-id'?: string, 'key-secret'?: string, index?: string[] }} values
 * @returns {Service | string | undefined}
 */
function serviceIn({ ws, rest, mcp, 'key-id': keyId, 'key-secret': keySecret, index = [] }) {
  if ([ws, rest, mcp, keyId, keySecret].every((value) => value === undefined)) return undefined
  if (ws === undefined || rest === undefined || keyId === undefined || keySecret === undefined) {
    return 'A service has --ws, --rest, --key-id and --key-secret.'
  }
  if (!/^wss?:\/\//.test(ws)) return `--ws begins with ws:// or wss://, unlike "${ws}".`
  const other = [rest, mcp].find((url) => url !== undefined && !/^https?:\/\//.test(url))
  if (other !== undefined) return `--rest and --mcp begin with http:// or https://, unlike "${other}".`
  const wrong = index.find((text) => !indexKinds.some((kind) => text.startsWith(`${kind}=`) && text !== `${kind}=`))
  if (wrong !== undefined) return `--index is KIND=ID with one of ${indexKinds.join(', ')}, unlike "${wrong}".`
  const indices = Object.fromEntries(index.map((text) => [text.split('=', 1)[0], text.slice(text.indexOf('=') + 1)]))
  return { ws, rest, mcp: mcp ?? null, keyId, keySecret, isOurs: false, indices }
}
