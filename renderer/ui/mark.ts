/** One mark of a mark-list.svelte: a short text and the sentence behind it. */
export interface Mark {
  key: string
  text: string
  title: string
  icon: 'question' | 'history' | 'clock' | 'pencil' | 'repeat' | 'alert'
  tone?: 'warn' | 'info'
  /** An icon without a frame, which never speaks. */
  isBare?: boolean
  /** Not drawn where one speaks for all: something beside it says the same. Assistive technology has it. */
  isQuiet?: boolean
}
