import { latestValuesLimit, restPrefix } from '../protocol/rest'
import { requestedResolutions } from '../protocol/model'
import type { RequestedResolution } from '../protocol/model'
import type { Board } from './board'
import type { CatalogueEntry } from './catalogue'
import { indexSummary } from './encode'

/** What a request is answered with, before it is put into the envelope. */
export type RestAnswer = { status: 200; payload: unknown } | { status: 400 | 404; error: string }

const badRequest = (error: string): RestAnswer => ({ status: 400, error })
const notFound: RestAnswer = { status: 404, error: 'Not found' }
const unknownId = badRequest('Unknown id')

/** Spec 4.2: one of two words, to the letter; seconds when it is left out. */
function readResolution(query: URLSearchParams): RequestedResolution | undefined {
  const given = query.getAll('maxResolution')
  if (given.length === 0) return 'PER_SECOND'
  return given.length === 1 ? requestedResolutions.find((resolution) => resolution === given[0]) : undefined
}

type Endpoint = (request: { query: URLSearchParams; resolution: RequestedResolution }) => RestAnswer

/** The REST interface (spec 4.2), one function an endpoint. */
export class Rest {
  readonly #board: Board
  readonly #nowMs: () => number
  readonly #valueEndpoints: ReadonlyMap<string, Endpoint> = new Map<string, Endpoint>([
    ['values', (request) => this.#values(request)],
    ['latest_values', (request) => this.#latestValues(request)],
  ])

  constructor(board: Board, nowMs: () => number) {
    this.#board = board
    this.#nowMs = nowMs
  }

  answer(path: string, query: URLSearchParams): RestAnswer {
    if (!path.startsWith(restPrefix)) return notFound
    const [resource = '', id, ...more] = path.slice(restPrefix.length).split('/')
    if (more.length > 0) return notFound
    if (resource === 'indices') return this.#indices(id)
    const endpoint = id === undefined ? this.#valueEndpoints.get(resource) : undefined
    if (endpoint === undefined) return notFound
    const resolution = readResolution(query)
    if (resolution === undefined) return badRequest(`maxResolution must be ${requestedResolutions.join(' or ')}`)
    return endpoint({ query, resolution })
  }

  #indices(id: string | undefined): RestAnswer {
    if (id === undefined) return { status: 200, payload: this.#board.entries.map(indexSummary) }
    const entry = this.#board.find(id)
    return entry === undefined ? notFound : { status: 200, payload: indexSummary(entry) }
  }

  #values: Endpoint = ({ query, resolution }) => {
    const entry = this.#board.find(query.get('id') ?? '')
    if (entry === undefined) return unknownId
    return { status: 200, payload: this.#board.history(entry, this.#nowMs(), resolution) }
  }

  #latestValues: Endpoint = ({ query, resolution }) => {
    const ids = (query.get('id') ?? '').split(',')
    if (ids.length > latestValuesLimit) return badRequest(`at most ${latestValuesLimit} ids`)
    const entries = ids.map((id) => this.#board.find(id))
    if (!entries.every((entry): entry is CatalogueEntry => entry !== undefined)) return unknownId
    const latest = entries.map((entry) => [entry.id, this.#board.latest(entry, this.#nowMs(), resolution)] as const)
    return { status: 200, payload: { latest_values: Object.fromEntries(latest) } }
  }
}
