import type { Message, Reply } from '../../../simulator/tamper'
import type { Mutant } from './mutant'

function replies(name: string, section: string, file: string, change: (reply: Reply, path: string) => Reply): Mutant {
  return { name, section, file, tamper: { reply: (path, reply) => change(reply, path) } }
}

/** A mutant that changes a request before it is answered. */
function requests(name: string, section: string, file: string, change: (url: string) => string): Mutant {
  const request: Mutant['tamper']['request'] = (received) => {
    if (received.url !== undefined) received.url = change(received.url)
  }
  return { name, section, file, tamper: { request } }
}

/** Changes every object within a body, innermost first. */
function deep(value: unknown, change: (object: Message) => Message): unknown {
  if (Array.isArray(value)) return value.map((each) => deep(each, change))
  if (typeof value !== 'object' || value === null) return value
  return change(Object.fromEntries(Object.entries(value).map(([name, each]) => [name, deep(each, change)])))
}

function everywhere({ status, body }: Reply, change: (object: Message) => Message): Reply {
  return { status, body: deep(body, change) as Message }
}

function without(object: Message, name: string): Message {
  return Object.fromEntries(Object.entries(object).filter(([each]) => each !== name))
}

const isOnSecond = (row: unknown) => Number((row as Message)['time']) % 1_000 === 0
const isReference = (object: Message) => 'decimals' in object && 'id' in object

/** Violations of the REST interface. */
export const restMutants: readonly Mutant[] = [
  replies('422 instead of 400', '7', 'rest-values', ({ status, body }) => ({
    status: status === 400 ? 422 : status,
    body,
  })),
  replies('an empty base where there is none', '2.7', 'reference-data', (reply) =>
    everywhere(reply, (object) => (isReference(object) ? { ...object, base: object['base'] ?? '' } : object)),
  ),
  replies('quote is null where there is none', '2.7', 'reference-data', (reply) =>
    everywhere(reply, (object) => (isReference(object) ? { ...object, quote: object['quote'] ?? null } : object)),
  ),
  replies('reward rates still have base and quote', '2.7', 'reference-data', (reply) =>
    everywhere(reply, (object) =>
      isReference(object) && String(object['id']).endsWith('_SRR') ? { ...object, base: 'ETH', quote: 'ETH' } : object,
    ),
  ),
  replies('the detail has no maxResolution', '2.7', 'reference-data', (reply, path) =>
    path.endsWith('/detail') ? everywhere(reply, (object) => without(object, 'maxResolution')) : reply,
  ),
  requests('REST: ticks between seconds are sent by default', '9', 'rest-values', (url) =>
    url.includes('/values') && !url.includes('maxResolution') ? `${url}&maxResolution=PER_200MS` : url,
  ),
  requests('REST: PER_200MS is ignored', '4.2', 'rest-values', (url) => url.replace('PER_200MS', 'PER_SECOND')),
  requests('a resolution in lower case is accepted', '7', 'rest-values', (url) =>
    url.replace('per_second', 'PER_SECOND'),
  ),
  requests('an empty resolution is accepted', '7', 'rest-values', (url) => url.replace(/&maxResolution=$/, '')),
  requests('another version is served', '9', 'rest-values', (url) => url.replace('/api/v0/', '/api/v1/')),
  requests('an unknown id among others is ignored', '4.2', 'rest-values', (url) => url.replace(',NO_SUCH_INDEX', '')),
  replies('history is newest first', '4.2', 'rest-values', (reply, path) =>
    path.startsWith('/api/v1/values') && Array.isArray(reply.body['payload'])
      ? { ...reply, body: { ...reply.body, payload: reply.body['payload'].toReversed() } }
      : reply,
  ),
  replies('REST: amendTime is missing', '6', 'value', (reply) =>
    everywhere(reply, (object) => without(object, 'amendTime')),
  ),
  replies('a repeated day has no flag', '6', 'value', (reply) =>
    everywhere(reply, (object) => without(object, 'repeatOfPreviousValue')),
  ),
  replies('a refusal has no envelope', '7', 'rest-values', ({ status, body }) => ({
    status,
    body: status < 400 ? body : { message: body['error'] },
  })),
  replies('success has an error that is null', '4.2', 'rest-values', ({ status, body }) => ({
    status,
    body: status < 400 ? { ...body, error: null } : body,
  })),
  replies('a summary has no history', '4.2', 'rest-values', (reply, path) =>
    path.includes('/summar') ? everywhere(reply, (object) => without(object, 'last24Hours')) : reply,
  ),
  requests('history of minutes is answered', 'beyond', 'beyond', (url) =>
    url.replace('timespan=MINUTE', 'timespan=HOUR'),
  ),
  replies('history is thinned to seconds', 'beyond', 'beyond', (reply, path) =>
    path.includes('/history/') && Array.isArray(reply.body['payload'])
      ? { ...reply, body: { ...reply.body, payload: reply.body['payload'].filter((row) => isOnSecond(row)) } }
      : reply,
  ),
  replies('a period without history is 404', 'beyond', 'beyond', (reply, path) =>
    path.includes('/history/') && Array.isArray(reply.body['payload']) && reply.body['payload'].length === 0
      ? { status: 404, body: { serverTime: reply.body['serverTime'], error: 'Nothing found' } }
      : reply,
  ),
  requests('any stream type has corporate actions', '4.2', 'rest-values', (url) =>
    url.replace('streamtype=weather', 'streamtype=activecorporateaction'),
  ),
  {
    name: 'POST is accepted',
    ...{ section: '4.2', file: 'rest-values' },
    tamper: {
      request: (received) => {
        if (received.url?.startsWith('/api/') === true) received.method = 'GET'
      },
    },
  },
]
