import type { WatchOptions } from '../desktop/launch-options'
import type { Owners } from '../access/latest'
import { Metrics } from '../access/metrics'
import { Terminal, type WatchOver } from '../access/terminal'
import { done, failure, type Outcome, type Subscription } from '../../core/model'
import type { Core, SharedFeature } from '../features/feature'
import { createDeskWatch } from '../features/desk-watch'
import { ServiceManager } from './service-manager'

interface Options {
  owners: Owners
  watch: WatchOptions
  print: (line: string) => void
  /** Called when the watch can no longer print anything. */
  onOver: (why: WatchOver, message: string) => void
}

/** A watch without a window: prints values and alerts, serves metrics, and reports to systemd. */
export function createWatch(core: Core, { owners, watch, print, onOver }: Options) {
  const { clock, log, redact } = core
  const desk = watch.desk && createDeskWatch(core, { owners, desk: watch.desk })
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
    desk: () => desk?.metrics(),
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
    /** Tells systemd that the watch has started. A watcher of a desk has once it checks the desk's alerts. */
    async ready(): Promise<void> {
      const begun = await desk?.start()
      if (begun?.ok === false) onOver('badArguments', begun.problem.message)
      else manager.ready()
    },
    follow: () => desk?.follow(),
    /** Indices named on the command line may be in no watchlist. */
    wanted: () => watch.ids.map((id): Subscription => ({ stream: 'value', id, maxResolution: 'PER_SECOND' })),
    async dispose() {
      metrics.dispose()
      manager.dispose()
      await desk?.dispose()
    },
  } satisfies SharedFeature
}
