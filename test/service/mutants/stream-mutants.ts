import type { ConnectionTamper, Message } from '../../../simulator/tamper'
import type { Mutant } from './mutant'

const none: readonly Message[] = []

function stream(name: string, section: string, file: string, connection: () => ConnectionTamper): Mutant {
  return { name, section, file, tamper: { connection } }
}

/** A mutant that changes every message of a type. */
function messages(name: string, section: string, file: string, type: string, change: (message: Message) => Message) {
  return stream(name, section, file, () => ({
    sent: (message) => [message['type'] === type ? change(message) : message],
  }))
}

function without(message: Message, ...names: string[]): Message {
  return Object.fromEntries(Object.entries(message).filter(([name]) => !names.includes(name)))
}

type Constituent = Record<string, unknown> & { weightPercent: string }

function withWeights(message: Message, weigh: (percent: number) => unknown): Message {
  const constituents = message['constituents'] as Constituent[]
  return {
    ...message,
    constituents: constituents.map((each) => ({ ...each, weightPercent: weigh(Number(each.weightPercent)) })),
  }
}

/** Replaces each message by the result of the rule. `before` is the number of earlier messages of its index. */
function counted(rule: (message: Message, before: number) => readonly Message[]): () => ConnectionTamper {
  return () => {
    const counts = new Map<string, number>()
    return {
      sent: (message) => {
        const key = `${String(message['type'])} ${String(message['id'])}`
        const before = counts.get(key) ?? 0
        counts.set(key, before + 1)
        return rule(message, before)
      },
    }
  }
}

const subscribing: readonly Mutant[] = [
  stream('a subscription is acknowledged', '6', 'value', () => ({
    received: (command, send) => {
      const { type, id, stream: channel } = command
      if (type === 'subscribe') send({ type, id, stream: channel, success: true })
      return command
    },
  })),
  stream('unsubscribing is acknowledged', '2.3', 'unsubscribe', () => ({
    received: (command, send) => {
      const { type, id, stream: channel } = command
      if (type === 'unsubscribe') send({ type, id, stream: channel, success: true })
      return command
    },
  })),
  stream('messages continue after unsubscribing', '2.3', 'unsubscribe', () => ({
    received: (command) => (command.type === 'unsubscribe' ? undefined : command),
  })),
  stream('unsubscribing from one channel of an index ends both', '2.3', 'unsubscribe', () => {
    const left = new Set<unknown>()
    return {
      received: (command) => {
        if (command.type === 'unsubscribe') left.add(command.id)
        return command
      },
      sent: (message) => (left.has(message['id']) ? none : [message]),
    }
  }),
  stream(
    'no latest value comes first',
    '4.1',
    'subscribe',
    counted((message, before) => (message['type'] === 'value' && before === 0 ? none : [message])),
  ),
  stream(
    'no latest calculation comes first',
    '4.1',
    'subscribe',
    counted((message, before) => (message['type'] === 'constituents' && before === 0 ? none : [message])),
  ),
  stream('an id is found in any case', '7', 'subscribe', () => ({
    received: (command) =>
      typeof command.id === 'string' && command.stream === 'value'
        ? { ...command, id: command.id.trim().toUpperCase() }
        : command,
  })),
  messages('a failed subscription gives no reason', '2.6', 'subscribe', 'subscribe', (message) =>
    without(message, 'reason'),
  ),
  messages('a failed subscription does not name its channel', '2.6', 'subscribe', 'subscribe', (message) =>
    without(message, 'stream'),
  ),
  messages('info has isSubSecond instead of maxResolution', '4.1', 'subscribe', 'info', (message) => ({
    ...message,
    streams: (message['streams'] as Message[]).map(({ maxResolution, ...others }) => ({
      ...others,
      isSubSecond: maxResolution === 'PER_200MS',
    })),
  })),
  stream('a tokenized equity sends no corporate action', '4.1', 'subscribe', () => ({
    sent: (message) => (message['type'] === 'active_corporate_action' ? none : [message]),
  })),
]

const resolutions: readonly Mutant[] = [
  stream('values between seconds are sent by default', '2.1', 'resolution', () => ({
    received: (command) => ({ ...command, maxResolution: command.maxResolution ?? 'PER_200MS' }),
  })),
  stream('PER_200MS is ignored', '2.1', 'resolution', () => ({
    received: (command) => ({ ...command, maxResolution: undefined }),
  })),
  messages('times are rounded to seconds', '2.1', 'resolution', 'value', (message) => ({
    ...message,
    time: Math.floor(Number(message['time']) / 1_000) * 1_000,
  })),
  stream('PER_200MS is refused for slower indices', '2.1', 'resolution', () => ({
    received: (command, send) => {
      const { type, id, stream: channel, maxResolution } = command
      if (maxResolution !== 'PER_200MS' || id === 'BRTI') return command
      send({ type, id, stream: channel, success: false, reason: 'Not published that often' })
      return undefined
    },
  })),
]

const values: readonly Mutant[] = [
  messages('a value is a JSON number', '2.4', 'value', 'value', (message) => ({
    ...message,
    value: Number(message['value']),
  })),
  messages('amendTime is missing', '2.4', 'value', 'value', (message) => without(message, 'amendTime')),
  messages('amendTime is present without an amendment', '2.4', 'value', 'value', (message) => ({
    amendTime: null,
    ...message,
  })),
  messages('repeatOfPreviousValue is false instead of absent', '2.4', 'value', 'value', (message) => ({
    repeatOfPreviousValue: false,
    ...message,
  })),
  stream(
    'every other value is missing',
    '6',
    'value',
    counted((message, before) => (message['type'] === 'value' && before % 2 === 1 ? none : [message])),
  ),
  stream('every value is sent twice', '6', 'value', () => ({
    sent: (message) => (message['type'] === 'value' ? [message, message] : [message]),
  })),
]

const constituents: readonly Mutant[] = [
  messages('a basket has a divisor', '2.5', 'constituents', 'constituents', (message) => ({
    divisor: '203484212.3109',
    ...message,
  })),
  messages('an exchange-family index has no divisor', '2.5', 'constituents', 'constituents', (message) =>
    without(message, 'divisor'),
  ),
  messages('a basket has exchanges', '2.5', 'constituents', 'constituents', (message) => ({
    ...message,
    constituents: (message['constituents'] as Constituent[]).map((each) => ({
      exchanges: [{ exchange: 'Kraken', weightPercent: '100.00' }],
      ...each,
    })),
  })),
  messages('weights are fractions of one', '2.5', 'constituents', 'constituents', (message) =>
    withWeights(message, (percent) => String(percent / 100)),
  ),
  messages('weights are JSON numbers', '2.5', 'constituents', 'constituents', (message) =>
    withWeights(message, (percent) => percent),
  ),
]

const beyond: readonly Mutant[] = [
  messages('the bid lies above the value', 'beyond', 'beyond', 'rti_stats', (message) => ({
    ...message,
    valueBid: String(2 * Number(message['value'])),
  })),
  messages('weights of the weight channel are bare numbers', 'beyond', 'beyond', 'weight', (message) => ({
    ...message,
    weights: Object.fromEntries(Object.keys(message['weights'] as object).map((asset) => [asset, 1])),
  })),
]

/** Violations of the WebSocket interface. */
export const streamMutants = [...subscribing, ...resolutions, ...values, ...constituents, ...beyond]
