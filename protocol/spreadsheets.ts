/** Where a spreadsheet on this computer finds the app's tables. */
export interface SpreadsheetsView {
  /** Why nothing is there although the user wants it, in plain words. */
  problem?: string
  /** Where the port is taken: one that is not. */
  freePort?: number
}
