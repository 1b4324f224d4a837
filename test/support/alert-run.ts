import { expect } from '@playwright/test'
import type { AlertEvent } from '../../core/alert-events'
import type { AlertDraft, AlertView } from '../../core/alerts'
import type { WindowState } from '../../protocol/desktop'
import type { AppBench, RunningApp } from './app-bench'
import { addressOf } from './scripted-rest'
import { failureBody, successBody, type ScriptedService } from './scripted-service'
import type { WatchPage } from './watch-page'
import { valueOf } from './value-of'

/** A service whose values rise by whole seconds and are never ahead of the clock. */
export class AlertService {
  readonly service: ScriptedService
  /** The publish time of the value sent last. */
  timeMs = Math.floor(Date.now() / 1_000) * 1_000 - 600_000

  constructor(service: ScriptedService) {
    this.service = service
  }

  publish(value: string, id = 'BRTI'): void {
    this.timeMs += 1_000
    this.service.sendValue(id, value, this.timeMs)
  }

  /** Makes REST return these values, a second apart, ending with the value sent last. */
  answerValues(values: readonly string[]): void {
    const rows = values.map((value, at) => ({ value, time: this.timeMs - (values.length - 1 - at) * 1_000 }))
    for (const path of ['values?id=BRTI', 'values?id=BRTI&maxResolution=PER_200MS']) {
      this.service.routes.set(path, { body: successBody(rows) })
    }
    // The app asks for all rows of the list at once. The service knows only BRTI.
    const latest = successBody({ latest_values: { BRTI: rows.at(-1) } })
    this.service.answerOthers = ({ url = '' }, response) => {
      const isLatest = url.includes('/latest_values?') && url.includes('BRTI')
      response.writeHead(isLatest ? 200 : 400, { 'Content-Type': 'application/json' })
      response.end(isLatest ? latest : failureBody('Unknown id'))
    }
  }

  /** The publish time of the value sent last, in UTC: 14:02:11.000. */
  get timeText(): string {
    return new Date(this.timeMs).toISOString().slice(11, 23)
  }

  /** Starts the app on this service. Resolves when it is live. */
  async launch(bench: AppBench): Promise<AlertRun> {
    const { running, watch } = await bench.launchLive(addressOf(this.service))
    await expect.poll(() => this.service.connectionCount).toBe(1)
    return new AlertRun(running, watch)
  }
}

/** The app and its page. Sends alert commands as the page does. */
export class AlertRun {
  readonly running: RunningApp
  readonly watch: WatchPage

  constructor(running: RunningApp, watch: WatchPage) {
    this.running = running
    this.watch = watch
  }

  /** Creates an alert that waits for its condition. */
  async make(draft: AlertDraft): Promise<AlertView> {
    return valueOf(await this.watch.ask('createAlert', { draft, whenAlreadyMet: 'wait' }))
  }

  async state(): Promise<WindowState> {
    return (await this.watch.snapshot()).state
  }

  /** Newest first. */
  async inbox(): Promise<AlertEvent[]> {
    return (await this.state()).inbox
  }

  async deliveries(): Promise<AlertEvent['delivery'][]> {
    return (await this.inbox()).map(({ delivery }) => delivery)
  }
}
