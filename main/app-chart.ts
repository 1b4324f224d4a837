import type { Services } from './app-services'
import type { Values } from './app-values'
import { listedEntries, type Owners } from './app-views'
import type { Clock } from './base/clock'
import { ChartSource } from './chart/chart-source'
import type { Batcher } from './ipc/batcher'
import type { SettingsStore } from './storage/settings'

interface Parts {
  clock: Clock
  settings: SettingsStore
  values: Values
  services: () => Services
}

/** The charts of the service in use, filled with everything that is received. */
export function createChart({ clock, settings, values, services }: Parts): ChartSource {
  const chart = new ChartSource({
    clock,
    service: (id) => services().connectionOf(id),
    latest: (id) => values.store.get(id),
    isEveryTick: (id) =>
      listedEntries(settings).some((entry) => entry.id === id && entry.maxResolution === 'PER_200MS'),
  })
  values.store.events.on('received', ({ id, publication }) => {
    chart.record(id, publication)
  })
  return chart
}

/** Tells the window of everything that is published of the index whose page is open. */
export function relayPoints({ values, page }: Owners, batcher: Batcher): void {
  values.store.events.on('received', ({ id, publication }) => {
    if (id === page.id) batcher.pointPublished({ indexId: id, point: publication })
  })
}
