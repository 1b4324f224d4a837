/**
 * Checks the layers of docs/development/architecture.md for `npm run layers`. Imports go downwards only and form no
 * circle. Each package that reaches out of the process is imported only by the files listed here.
 */

/** The layers of main/ from the top. A layer may import itself and the layers below it. */
const layers = {
  index: '^main/index\\.ts$',
  app: '^main/app/',
  features: '^main/features/',
  access: '^main/access/',
  domains: '^main/(connections|quotes|alerts|chart|history|index-page|lists)/',
  services: '^main/(feed|rest|mcp|history-store|storage|webhook|desk|desktop|ipc|updates)/',
  base: '^main/base/',
}

const order = Object.entries(layers)

const upwards = order.flatMap(([name, path], place) =>
  place === 0
    ? []
    : [
        {
          name: `${name}-imports-downwards`,
          comment: 'index → app → features → access → domains → services → base → protocol → core',
          severity: 'error',
          from: { path },
          to: {
            path: order
              .slice(0, place)
              .map(([, above]) => above)
              .join('|'),
          },
        },
      ],
)

/** Folders that may not import each other. What two of them share belongs in a layer below or above. */
const apart = (/** @type {string} */ name, /** @type {string} */ folders) => ({
  name,
  comment: 'What two of them need stands in a layer below, or is said in the layer above.',
  severity: 'error',
  from: { path: `^${folders}/` },
  to: { path: `^${folders}/`, pathNot: '^$1/$2/' },
})

const only = (/** @type {string} */ name, /** @type {string} */ packageName, /** @type {string} */ importers) => ({
  name,
  comment: `${packageName} has few importers, so that everything else runs without it.`,
  severity: 'error',
  from: { path: '^(core|main|preload|protocol|renderer|simulator)/', pathNot: importers },
  to: { path: `(^|node_modules/)${packageName}(/|$)` },
})

const within = (/** @type {string} */ part, /** @type {string} */ allowed) => ({
  name: `${part}-keeps-to-itself`,
  severity: 'error',
  from: { path: `^${part}/` },
  to: { path: '^(core|main|preload|protocol|renderer|simulator|scripts|test)/', pathNot: `^(${allowed})/` },
})

/** Forbids a part of the page to import the parts above it. */
const knowsNot = (/** @type {string} */ part, /** @type {string} */ above) => ({
  name: `${part}-knows-nothing-above`,
  severity: 'error',
  from: { path: `^renderer/${part}/` },
  to: { path: `^renderer/(${above})/` },
})

export default {
  forbidden: [
    { name: 'no-circle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-circle-of-folders',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(main|preload|protocol|renderer|simulator|scripts)' },
      to: { circular: true },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^(electron|virtual:)' } },
    within('core', 'core'),
    {
      name: 'core-imports-no-builtins',
      comment: 'It runs in the page as well.',
      severity: 'error',
      from: { path: '^core/' },
      to: { dependencyTypes: ['core'] },
    },
    within('protocol', 'protocol|core'),
    within('preload', 'preload|protocol|core'),
    within('renderer', 'renderer|protocol|core'),
    within('simulator', 'simulator|protocol|core'),
    within('main', 'main|protocol|core'),
    ...upwards,
    apart('domains-stand-apart', '(main)/(connections|quotes|alerts|chart|history|index-page|lists)'),
    apart('services-stand-apart', '(main)/(feed|rest|mcp|history-store|storage|webhook|desk|desktop|ipc|updates)'),
    apart('views-stand-apart', '(renderer/views)/(\\w[\\w-]*)'),
    knowsNot('plot', 'views'),
    knowsNot('state', 'views|plot'),
    knowsNot('format', 'views|plot|state'),
    {
      name: 'ui-knows-no-indices',
      severity: 'error',
      from: { path: '^renderer/ui/' },
      to: { path: '^(renderer/(views|plot|state|format)|protocol|core)/', pathNot: '^core/decimal\\.ts$' },
    },
    only(
      'electron-importers',
      'electron',
      '^(main/(index\\.ts|(app|desktop|ipc)/.+|storage/keyring\\.ts)|preload/index\\.ts)$',
    ),
    only('ws-importers', 'ws', '^(main/feed/socket\\.ts|simulator/.+)$'),
    only('electron-store-importers', 'electron-store', '^main/storage/settings-file\\.ts$'),
    only('nats-importers', '@nats-io', '^main/desk/link\\.ts$'),
    {
      name: 'desk-is-loaded-when-set-up',
      comment: 'Import it dynamically, so that a start without a desk loads nothing of NATS.',
      severity: 'error',
      from: { path: '^main/', pathNot: '^main/desk/' },
      to: { path: '^main/desk/', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    only('electron-updater-importers', 'electron-updater', '^main/updates/.+$'),
    only('dbus-native-importers', 'dbus-native', '^main/desktop/(session-bus|notification-daemon)\\.ts$'),
    only('libsql-importers', 'libsql', '^(main/history-store/.+|simulator/recorded-day\\.ts)$'),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'config/tsconfig.base.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(out|release|test-results)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'svelte', 'default'],
      extensions: ['.ts', '.svelte.ts', '.js', '.svelte', '.json', '.d.ts'],
    },
  },
}
