/** A column of a data-table.svelte. */
export interface TableColumn<Key extends string> {
  key: Key
  /** What its head says. */
  name: string
  /** Its width in CSS pixels; without one it takes the rest. */
  px?: number | undefined
  title?: string | undefined
  /** Its cells are class `number`: the head keeps to the right as they do. */
  isNumber?: boolean
  /** It holds buttons: its name is for assistive technology alone, and it does not sort. */
  isAction?: boolean
  /** It takes no room: its head and its cells lie in the column before, beside the head and below. */
  isUnder?: boolean
}

export interface TableSort<Key extends string> {
  column: Key
  isDescending: boolean
}
