/** All keys of the page. The list of shortcuts in the app is made from this. */
interface Shortcut {
  /** Alternatives. The keys of one alternative are pressed together. */
  keys: readonly (readonly string[])[]
  does: string
}

export interface ShortcutGroup {
  title: string
  shortcuts: readonly Shortcut[]
}

const arrows = [['↑'], ['↓']] as const

/** Alternatives: each of the keys, pressed while another one is held. */
function holding(held: string, ...keys: readonly string[]) {
  return keys.map((key) => [held, key])
}

export const shortcutGroups: readonly ShortcutGroup[] = [
  {
    title: 'Everywhere',
    shortcuts: [
      { keys: [['Ctrl', 'K']], does: 'Find an index, a watchlist or a command' },
      { keys: [['Ctrl', 'N']], does: 'Add an index to the watchlist' },
      {
        keys: holding('Ctrl', '1', '5'),
        does: 'Go to a section, from Watchlists to Settings, and its selected row or first field',
      },
      { keys: [['Ctrl', 'Z']], does: 'Undo the last change of a list, or what the message at the bottom says' },
      { keys: holding('Ctrl', '+', '−', '0'), does: 'Zoom in, zoom out, or back to 100 %' },
      { keys: [['?'], ['F1']], does: 'Show these keys' },
      { keys: [['Esc']], does: 'Close the topmost dialog or menu, then the open index' },
    ],
  },
  {
    title: 'In a watchlist',
    shortcuts: [
      { keys: arrows, does: 'Move from row to row. Also Home, End, Page Up and Page Down' },
      { keys: [['Enter']], does: 'Open the index' },
      { keys: [['Shift', 'Enter']], does: 'Open the index in a window of its own' },
      { keys: [['Space']], does: 'Show its value and chart' },
      { keys: [['A']], does: 'New alert for the index' },
      { keys: [['Any other letter']], does: 'Add an index, with the letter typed' },
      { keys: holding('Ctrl', 'PgUp', 'PgDn'), does: 'Go to the watchlist before or after' },
      { keys: holding('Shift', '↑', '↓'), does: 'Select several rows. Ctrl+Space adds one, Esc clears' },
      { keys: [['Ctrl', 'A']], does: 'Select all rows' },
      { keys: [['Delete']], does: 'Remove the selected rows (you can undo it)' },
      { keys: holding('Alt', '↑', '↓'), does: 'Move the selected rows. With Home and End to the top or the bottom' },
      { keys: [['Ctrl', 'C']], does: 'Copy the selected rows with their exact values' },
      { keys: [['Ctrl', 'V']], does: 'Add pasted tickers, after a preview' },
    ],
  },
  {
    title: 'On a watchlist in the sidebar',
    shortcuts: [
      { keys: arrows, does: 'Move through the sidebar' },
      { keys: [['F2']], does: 'Rename the watchlist' },
      { keys: [['Delete']], does: 'Remove the watchlist (you can undo it)' },
      { keys: holding('Alt', '↑', '↓'), does: 'Move the watchlist' },
    ],
  },
  {
    title: 'On an index page',
    shortcuts: [
      { keys: [['←'], ['→']], does: 'Read the chart point by point, with Shift ten by ten, or go from tab to tab' },
      { keys: [['A']], does: 'On the chart: new alert at the level under the cursor' },
      { keys: [['←'], ['→']], does: 'On the edge beside the list: change the width. Double-click resets it' },
      { keys: arrows, does: 'On an alert level: move it. Enter applies, Esc restores' },
    ],
  },
]
