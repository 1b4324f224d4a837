import type { SavedWebhook } from '../../core/model'

export const sampleWebhooks: SavedWebhook[] = [
  {
    id: 'slack',
    name: 'Desk channel',
    service: 'slack',
    values: {},
    template: '{text} {published}',
    sendsNote: true,
    host: 'hooks.slack.com',
    tails: { url: 'Q4xZ' },
  },
  {
    id: 'ntfy',
    name: 'Phone',
    service: 'ntfy',
    values: { server: 'https://ntfy.sh' },
    sendsNote: false,
    host: 'ntfy.sh',
    tails: { topic: '', token: 'k9Pw', headers: 'desk' },
  },
  {
    id: 'pager',
    name: 'On call',
    service: 'pagerDuty',
    values: { server: 'https://events.eu.pagerduty.com', source: 'index desk' },
    sendsNote: false,
    host: 'events.eu.pagerduty.com',
    tails: { routingKey: '7d2e' },
  },
]
