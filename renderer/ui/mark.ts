/** One mark of a mark-list.svelte. `title` is the sentence behind the short text. */
export interface Mark {
  key: string
  text: string
  title: string
  icon: 'question' | 'history' | 'clock' | 'pencil' | 'repeat' | 'alert'
  tone?: 'warn' | 'info'
  /** An icon without a frame. Its text is never shown. */
  isBare?: boolean
  /** Hidden unless the list shows all texts, because something beside it says the same. Assistive technology still has it. */
  isQuiet?: boolean
}
