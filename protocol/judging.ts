/** Whether alerts are checked. That needs more than a live connection (docs/development/alert-engine.md). */

/** Why alerts are not checked. With `notWritable` they are checked, but their events are not recorded. */
export type JudgingReason =
  | 'locked'
  | 'full'
  | 'damaged'
  | 'missing'
  | 'newer'
  | 'unreadable'
  | 'lost'
  | 'keyMissing'
  | 'keyRefused'
  | 'settings'
  | 'newerSettings'
  | 'notWritable'

/** `reading`: the rules are being read. `notRecorded`: alerts are checked, but their events are not saved. */
export type Judging =
  | { state: 'judged' }
  | { state: 'reading' }
  | {
      state: 'off' | 'notRecorded'
      reason: JudgingReason
      /** Such as "Alerts are off". */
      summary: string
      /** Such as "Alerts are off: the disk is full". */
      words: string
      remedy: string
      sinceMs: number
      /** False if the rules could not be read. */
      areRulesRead: boolean
    }

export type NotJudged = Extract<Judging, { reason: JudgingReason }>

/** True if the key is the reason. The connection then says what to do. */
export function isOfKey({ reason }: NotJudged): boolean {
  return reason === 'keyMissing' || reason === 'keyRefused'
}

export const readingWords = 'The alerts are being read.'

/** True if the rules have been read. */
export function areRulesKnown(judging: Judging): boolean {
  return 'areRulesRead' in judging ? judging.areRulesRead : judging.state === 'judged'
}

/** Undefined while alerts are checked or the rules are being read. */
export function notJudgedOf(judging: Judging | undefined): NotJudged | undefined {
  return judging !== undefined && 'reason' in judging ? judging : undefined
}

/** `because` is the second part of a sentence, `remedy` one or more sentences. */
export const judgingWords: Record<JudgingReason, { because: string; remedy: string }> = {
  locked: {
    because: 'the history is in use by another program',
    remedy: 'Close that program, such as a backup. Indexwatch retries automatically.',
  },
  full: {
    because: 'the disk is full',
    remedy: 'Free some space. Indexwatch retries automatically.',
  },
  damaged: {
    because: 'the history is damaged',
    remedy: 'Check the disk. Indexwatch retries automatically.',
  },
  missing: {
    because: 'the history is missing',
    remedy: 'Connect the disk that holds the history. Indexwatch retries automatically.',
  },
  newer: {
    because: 'a newer version of Indexwatch wrote the history',
    remedy: 'Update Indexwatch.',
  },
  unreadable: {
    because: 'the history cannot be opened',
    remedy: 'Check the disk and the file’s permissions. Indexwatch retries automatically.',
  },
  lost: {
    because: 'the history was lost and had no backup',
    remedy: 'Create your alerts again, or import them from a file.',
  },
  keyMissing: {
    because: 'the key is not available',
    remedy: 'Unlock the keyring and choose Try again, or enter the key again in Settings.',
  },
  keyRefused: {
    because: 'the provider refuses the key',
    remedy: 'Enter a valid key in Settings.',
  },
  settings: {
    because: 'the settings are damaged',
    remedy: 'Enter your connection again in Settings. Until then only demo data is shown.',
  },
  newerSettings: {
    because: 'a newer version of Indexwatch wrote the settings',
    remedy: 'Update Indexwatch.',
  },
  notWritable: {
    because: 'the history cannot be written to',
    remedy: 'Check the disk and the file’s permissions. Recording resumes automatically.',
  },
}
