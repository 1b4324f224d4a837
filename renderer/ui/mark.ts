/** One mark of a mark-list.svelte: a short text and the sentence behind it. */
export interface Mark {
  key: string
  text: string
  title: string
  /** Without one it is words alone. */
  icon?: 'question' | 'history' | 'clock' | 'pencil' | 'repeat' | 'pin' | 'alert'
  tone?: 'warn' | 'info'
  /** An icon without a frame, which never speaks. */
  isBare?: boolean
  /** It does not speak even as the first: something beside it does. */
  isQuiet?: boolean
}
