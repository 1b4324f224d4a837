/** `npm run verify-inbox`: whether the inbox is as it was recorded, in plain Node, with or without the running app. */
import { parseArgs } from 'node:util'
import { inboxCheckWords } from '../../protocol/inbox-check-words'
import { TapeFile, UnreadableTape } from '../tape/tape-file'
import { tapePath } from '../tape/thread'
import { profileFolder } from '../base/profile-folder'
import { verifyInbox } from './inbox-check'

const helpText = `Usage: npm run verify-inbox -- [--user-data-dir DIR] [--demo]

Checks that no event in the inbox was removed, changed, moved or added. The app may be running. Prints the number of
events and their hash. Note the hash to compare it with a later check of the same events.

  --user-data-dir DIR folder of the settings (default: that of the app)
  --demo              check the inbox of the demo service`

const exitCodes = { unbroken: 0, unreadable: 1, broken: 2 } as const

function read(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: { 'user-data-dir': { type: 'string' }, demo: { type: 'boolean' }, help: { type: 'boolean' } },
  })
  return values
}

/** Answers the exit code. */
async function run(): Promise<number> {
  let tape: TapeFile | undefined
  try {
    const { 'user-data-dir': profile, demo, help } = read(process.argv.slice(2))
    if (help === true) {
      process.stdout.write(`${helpText}\n`)
      return exitCodes.unbroken
    }
    const file = new TapeFile(
      tapePath(profile ?? profileFolder(process.env, process.platform), demo === true ? 'demo' : 'real'),
    )
    tape = file
    const checked = await verifyInbox((asked) => ({ ok: true, value: file.ask('eventChain', asked) }))
    if (!checked.ok) throw new UnreadableTape(checked.problem)
    process.stdout.write(`${inboxCheckWords(checked.value, (ms) => new Date(ms).toISOString())}\n`)
    if (checked.value.hash === undefined) return exitCodes.broken
    if (checked.value.count > 0) process.stdout.write(`Hash: ${checked.value.hash}\n`)
    return exitCodes.unbroken
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return exitCodes.unreadable
  } finally {
    tape?.close()
  }
}

process.exitCode = await run()
