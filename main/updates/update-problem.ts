import { isCertificateFault } from '../base/http'
import { errorCode } from '../base/own-file'

export type UpdatePhase = 'check' | 'download' | 'install'

/** Why there is no update, in words for the user. */
export function updateProblem(error: unknown, phase: UpdatePhase): string {
  const code = errorCode(error)
  if (code === 'ERR_UPDATER_CHANNEL_FILE_NOT_FOUND')
    return 'The update server has no list of versions. Try again later.'
  if (code.startsWith('ERR_UPDATER_'))
    return 'The list of versions on the update server cannot be read. Try again later.'
  // The updater's own checksums: the download is not the published file.
  if (code === 'ERR_CHECKSUM_MISMATCH')
    return 'The download does not match the published file, so it was deleted. Try again later, or download it from the website.'
  if (code === 'ERR_DOES_NOT_START') return 'The new version does not start on this computer. Wait for the next one.'
  if (code === 'ENOSPC') return 'Not enough disk space for the update. Free some space and try again.'
  if (phase === 'install') {
    return code === 'EACCES' || code === 'EPERM' || code === 'EROFS'
      ? 'The folder of the AppImage is not writable. Check its permissions.'
      : 'The new file could not replace the old one.'
  }
  if (isCertificateFault(code))
    return 'The certificate of the update server is not valid. Check the clock of this computer.'
  if (phase === 'download') return 'The download was interrupted. It restarts at the next check.'
  return 'The update server could not be reached. Check the network and try again.'
}
