import { join } from 'node:path'
import type { AssistantSetup } from '../../protocol/assistants'
import type { CommandHandlers } from '../../protocol/commands/contract'
import { shapeOf, type ToolResult } from '../../protocol/service-tools'
import { failure, ok, type ConstituentsPublication, type IndexId, type Outcome, type Settings } from '../../core/model'
import { answersOfApp } from '../access/answers'
import { AssistantAccess } from '../access/assistant-access'
import type { Owners } from '../access/latest'
import { listenPrivately } from '../access/private-socket'
import { SpreadsheetAccess } from '../access/spreadsheet-access'
import type { ReachWatch } from '../alerts/reach-watch'
import { ToolCalls } from '../connections/tool-calls'
import { faultOfDraft } from './alert-commands'
import { draftContexts } from './alert-previews'
import { does, asJson, slice, type Core, type SharedFeature } from './feature'
import { createExporter } from './history'
import { UserFiles, type TableToSave } from './user-files'

interface Options {
  owners: Owners
  reachWatch: ReachWatch
  setup: AssistantSetup
  /** Asks the service for the constituents of an index. Undefined if none arrive soon. */
  askConstituents: (id: IndexId) => Promise<ConstituentsPublication | undefined>
}

/** Access for assistants and spreadsheets, and the provider's tools. */
export function createPrograms(core: Core, { owners, reachWatch, setup, askConstituents }: Options) {
  const { settings, folder, hidden } = core
  const { connections, quotes } = owners
  const data = () => answersOfApp(owners, core.log, askConstituents)
  // A separate exporter, so that the user's exports do not wait for spreadsheets.
  const exporter = createExporter(core)
  const assistants = new AssistantAccess({
    ...core,
    listen: (onChannel) => listenPrivately(folder, onChannel),
    data,
    watchlists: () => settings.get().watchlists,
    faultOf: (draft) => faultOfDraft(draft, draftContexts(core.clock, { connections, reachWatch })),
  })
  const spreadsheets = new SpreadsheetAccess({
    ...core,
    data,
    history: (request) => exporter.read(request, join(folder, 'spreadsheet.csv')),
    tokenHash: () => settings.spreadsheetTokenHash,
    keepHash: (hash) => settings.setSpreadsheetTokenHash(hash),
    hide: (token) => hidden.add(token),
  })
  const toolCalls = new ToolCalls({
    ...core,
    offered: () => (connections.tools?.state === 'listed' ? connections.tools.tools : []),
    clientOf: (id) => connections.toolsClientOf(id),
  })
  const files = new UserFiles(core)
  return {
    toolCalls,
    slices: [
      slice(() => ({ toolCalls: [...toolCalls.view] }), toolCalls.events, 'changed'),
      slice(() => ({ assistants: assistants.view }), assistants.events, 'changed'),
      slice(() => ({ spreadsheets: spreadsheets.view }), spreadsheets.events, 'changed'),
    ],
    commands: {
      getAssistantSetup: () => ok(setup),
      acceptProposal: ({ proposalId }) => assistants.endProposal(proposalId, 'accepted'),
      declineProposal: ({ proposalId }) => assistants.endProposal(proposalId, 'declined'),
      runServiceTool: ({ connectionId, tool, argumentsJson }) =>
        asJson(toolCalls.run(connectionId, tool, argumentsJson)),
      cancelServiceTool: does(() => toolCalls.cancel()),
      saveServiceToolTable: ({ callId, table }) => files.saveTable(() => toolTable(toolCalls.resultOf(callId), table)),
      makeSpreadsheetToken: async () => ok({ token: await spreadsheets.makeToken() }),
    } satisfies Partial<CommandHandlers>,
    follow() {
      quotes.store.events.on('changed', ({ next }) => assistants.valueSeen(next.id))
    },
    settingsChanged(changed: Settings) {
      assistants.setAllowed(changed.allowsAssistants)
      void spreadsheets.setWanted(changed)
      assistants.listsSeen()
    },
    async dispose() {
      assistants.dispose()
      spreadsheets.dispose()
      await exporter.dispose()
    },
  } satisfies SharedFeature
}

function toolTable(result: ToolResult | undefined, at: number): Outcome<TableToSave> {
  const found = result?.answer.data === undefined ? undefined : shapeOf(result.answer.data).tables[at]
  if (result === undefined || found === undefined) {
    return failure('noValues', 'That table no longer exists. Run the tool again.')
  }
  const { name, table } = found
  const fileName = name === '' ? result.call.tool : `${result.call.tool} ${name}`
  return ok({ fileName, table: { name: 'Answer', columns: table.columns, pages: [table.rows] } })
}
