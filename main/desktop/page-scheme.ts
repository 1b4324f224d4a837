import { protocol } from 'electron'
import type { Log } from '../base/log'
import { answerPageRequest, listPageFiles } from './page-files'

/** Makes `app:` a secure, standard scheme. Must run before Electron is ready. */
export function declarePageScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true } }])
}

/** Serves the built page from `folder` as `app://indexwatch/`. */
export async function servePage(folder: string, log: Log): Promise<void> {
  const files = await listPageFiles(folder)
  protocol.handle('app', async (request) => {
    try {
      return await answerPageRequest(files, request)
    } catch (error) {
      log.error('A file of the window could not be read', { error: String(error) })
      return new Response(null, { status: 500 })
    }
  })
}
