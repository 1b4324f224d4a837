import { failure, ok, type IndexId, type Outcome, type Publication, type Subscription } from '../../core/model'
import { constituentRows } from '../../core/records'
import { endsBeforeItBegins } from '../../core/typed-time'
import type { CommandHandlers } from '../../protocol/commands/contract'
import type { WindowState } from '../../protocol/desktop'
import { toJson } from '../../protocol/json'
import type { OpenPages, Owners } from '../access/latest'
import { Emitter } from '../base/emitter'
import { recordTable } from '../base/table-files'
import { ChartSource, mainWindow } from '../chart/chart-source'
import { FormulaCharts } from '../chart/formula-charts'
import { CodeLookup } from '../connections/code-lookup'
import { ConstituentBases } from '../index-page/constituent-bases'
import { IndexPage, pageSubscriptions } from '../index-page/index-page'
import { PageMemory } from '../index-page/page-memory'
import { contributionRows } from '../lists/tables'
import { does, asJson, slice, type Core, type SharedFeature } from './feature'
import { listedEntries } from './lists'
import { UserFiles, type Files } from './user-files'

/** Prints the window's page as PDF. Rejects if there is no window. */
type PagePrinter = () => Promise<Uint8Array>

type Sources = Pick<Owners, 'connections' | 'quotes'> & { printPage: PagePrinter }

/** The open index page and those in windows of their own, their charts, and the baselines of constituents. */
export function createIndexPage(core: Core, sources: Sources) {
  const { settings, clock, history, events, onError } = core
  const { connections, quotes } = sources
  const resolutionOf = (id: IndexId) => connections.resolutionOf(id)
  const bases = new ConstituentBases(core)
  const codes = new CodeLookup({ clock, connections })
  const opened = new Set<IndexPage>()
  /** The page of a window, without an index yet. Closing it ends it, except in the main window. */
  const createPage = (inWindow: string) => {
    const news = new Emitter<{ changed: null }>(onError)
    const page: IndexPage = new IndexPage({
      clock,
      memory: new PageMemory(core),
      source: () => (page.id === undefined ? undefined : connections.sourceOf(page.id)),
      isKeyInDoubt: (id) => {
        const state = connections.connectionOf(id)?.status.state
        return state === 'connecting' || state === 'notAuthorised'
      },
      baseOf: (id) => bases.get(id),
      onDetail: (detail) => connections.noteCodes([detail]),
      onIdChange: () => {
        chart.opened(page.id, inWindow)
        if (page.id === undefined && inWindow !== mainWindow) {
          chart.follow([], inWindow)
          opened.delete(page)
        }
        events.emit('wantedChanged', null)
        // A partial update cannot remove the page from the state, but a full one can.
        if (page.id === undefined && inWindow === mainWindow) events.emit('resync', null)
      },
      onChange: () => news.emit('changed', null),
    })
    opened.add(page)
    return { page, slice: slice((): Pick<WindowState, 'opened'> => ({ opened: page.view() }), news, 'changed') }
  }
  const { page, slice: openedSlice } = createPage(mainWindow)
  const pages: OpenPages = {
    all: () => [...opened],
    viewOf: (id) =>
      pages
        .all()
        .find((each) => each.id === id)
        ?.view(),
  }
  const charts = new FormulaCharts({
    service: (id) => connections.connectionOf(id),
    resolutionOf,
    decimalsOf: (id) => connections.decimalsOf(id),
  })
  const chart = new ChartSource({
    clock,
    history,
    service: (id) => (pages.all().some((each) => each.isWaiting(id)) ? undefined : charts.of(id)),
    resolutionOf,
    latest: (id) => quotes.store.get(id),
    isEveryTick: (id) =>
      listedEntries(settings.get()).some((entry) => entry.id === id && entry.maxResolution === 'PER_200MS'),
    onFollowed: () => events.emit('wantedChanged', null),
  })
  return {
    page,
    pages,
    createPage,
    chart,
    bases,
    slices: [openedSlice],
    commands: {
      ...indexCommands(core, { ...sources, page, pages, chart, bases }),
      learnCodes: does(() => codes.learn()),
    },
    wanted: (): Subscription[] => [
      ...chart.followedIds.map((id) => ({ stream: 'value', id, maxResolution: 'PER_SECOND' }) as const),
      ...pages.all().flatMap(({ id }) => (id === undefined ? [] : pageSubscriptions(id, resolutionOf(id)))),
    ],
    follow() {
      bases.events.on('notice', core.notice)
      bases.events.on('changed', (id) => {
        for (const each of pages.all()) each.baseChanged(id)
      })
      connections.events.on('statusChanged', () => chart.streamChanged())
      quotes.store.events.on('received', ({ id, publication }) => chart.record(id, publication))
    },
    dispose() {
      codes.dispose()
      for (const each of pages.all()) each.dispose()
    },
  } satisfies SharedFeature
}

export type IndexPages = ReturnType<typeof createIndexPage>

type IndexCore = Files & Pick<Core, 'history'>
type IndexOwners = Pick<Sources, 'connections' | 'printPage'> & {
  page: IndexPage
  pages: OpenPages
  chart: ChartSource
  bases: ConstituentBases
}

export function indexCommands(core: IndexCore, { page, pages, bases, chart, connections, printPage }: IndexOwners) {
  const { history } = core
  const files = new UserFiles(core)
  /** The constituents of an open page, so that the baseline is what the user sees. */
  const openConstituents = (indexId: IndexId) => pages.viewOf(indexId)?.constituents
  const seriesOf = async (...[id, range, sources]: Parameters<ChartSource['series']>) => {
    if (typeof range !== 'string' && range.fromMs >= range.toMs) return endsBeforeItBegins
    return ok(toJson(await chart.series(id, range, sources)))
  }
  return {
    openIndex: does(({ indexId, isPreview }) => page.open(indexId, isPreview)),
    closeIndex: does(() => page.close()),
    getChart: ({ indexId, range }) => seriesOf(indexId, range, 'all'),
    getKnownChart: ({ indexId, range }) => seriesOf(indexId, range, 'known'),
    getIndexEvents: ({ indexId, fromMs, toMs }) => asJson(history.query('eventsOf', { id: indexId, fromMs, toMs })),
    followIndices: does(({ indexIds }) => chart.follow(indexIds)),
    getLatestValues: ({ indexIds }) => latestValues(connections, indexIds),
    setConstituentsBase: ({ indexId }) => {
      const constituents = openConstituents(indexId)
      return constituents === undefined ? notArrived(indexId) : bases.set(indexId, constituents)
    },
    clearConstituentsBase: ({ indexId }) => bases.clear(indexId),
    saveFixingPdf: ({ indexId }) =>
      files.save(() => ok({ name: `${indexId} fixing`, kind: 'pdf', text: printed(printPage) })),
    saveConstituentsTable: ({ indexId }) =>
      files.saveTable(() => {
        const constituents = openConstituents(indexId)
        if (constituents === undefined) return notArrived(indexId)
        const rows = constituentRows(indexId, constituents)
        return ok({ fileName: `${indexId} constituents`, table: recordTable('Constituents', 'constituent', [rows]) })
      }),
    savePointsTable: ({ indexId, since }) =>
      files.saveTable(() => {
        const opened = pages.viewOf(indexId)
        const now = opened?.constituents
        const then = { close: opened?.closing, opened: opened?.firstConstituents, base: opened?.base?.constituents }[
          since
        ]
        if (now === undefined || then === undefined) return notArrived(indexId)
        const rows = contributionRows(indexId, since, { now, then })
        return ok({ fileName: `${indexId} contributions`, table: recordTable('Contributions', 'contribution', [rows]) })
      }),
  } satisfies Partial<CommandHandlers>
}

/** Prints when the save dialog is closed, so that it is not on the page. */
async function* printed(printPage: PagePrinter): AsyncGenerator<Uint8Array, void> {
  yield await printPage()
}

function notArrived(indexId: IndexId) {
  return failure('noConstituents', `The constituents of ${indexId} have not arrived yet. Try again in a moment.`)
}

export const notConnected = failure('notConnected', 'Values cannot be loaded: not connected.')
const withoutRest = failure(
  'noRestAddress',
  'Values cannot be loaded: this connection has no REST address. Enter one in Settings.',
)

/** In the requested order, each once. Indices unknown to the service are missing. */
async function latestValues(
  connections: Owners['connections'],
  ids: readonly IndexId[],
): Promise<Outcome<{ id: IndexId; publication: Publication }[]>> {
  const found = new Map<IndexId, Publication>()
  let problem: Outcome<never> | undefined
  for (const connection of new Set(ids.map((id) => connections.connectionOf(id)))) {
    const served = ids.filter((id) => connections.connectionOf(id) === connection)
    const answer =
      connection === undefined ? notConnected : ((await connection.rest?.latestValues(served)) ?? withoutRest)
    if (answer.ok) for (const [id, publication] of answer.value) found.set(id, publication)
    else problem ??= answer
  }
  if (found.size === 0 && problem !== undefined) return problem
  const inOrder = [...new Set(ids)].flatMap((id) => {
    const publication = found.get(id)
    return publication === undefined ? [] : [{ id, publication }]
  })
  return ok(inOrder)
}
