import type { WatchOptions } from '../desktop/launch-options'
import type { Owners } from '../access/latest'
import { Metrics } from '../access/metrics'
import { Terminal, type WatchOver } from '../access/terminal'
import { done, failure, type Outcome } from '../../core/model'
import type { Core, SharedFeature } from '../features/feature'
import { ServiceManager } from './service-manager'

interface Options {
  owners: Owners
  watch: WatchOptions
  print: (line: string) => void
  /** Called when the watch can no longer print anything. */
  onOver: (why: WatchOver, message: string) => void
}

/** A watch without a window: prints values and alerts, serves metrics, and reports to systemd. */
export function createWatch(
  { clock, log, redact }: Pick<Core, 'clock' | 'log' | 'redact'>,
  { owners, watch, print, onOver }: Options,
) {
  const terminal = new Terminal({
    context: owners,
    watch,
    clock,
    print,
    onKeyLost: (problem) => onOver('keyLost', problem),
    onUnknownRule: (problem) => onOver('badArguments', problem),
  })
  const metrics = new Metrics({
    clock,
    context: owners,
    ids: () => terminal.ids,
    redact,
    onError: (error) => log.error('Metrics could not be answered', { error: String(error) }),
  })
  const manager = new ServiceManager({ clock, log, env: process.env, pid: process.pid })
  return {
    terminal,
    async serveMetrics(): Promise<Outcome<unknown>> {
      if (watch.metricsPort === undefined) return done
      const served = await metrics.listen(watch.metricsPort)
      return served.ok
        ? served
        : failure('badArguments', `watch --metrics: ${served.problem.message} Choose another one.`)
    },
    ready: () => manager.ready(),
    dispose() {
      metrics.dispose()
      manager.dispose()
    },
  } satisfies SharedFeature
}
