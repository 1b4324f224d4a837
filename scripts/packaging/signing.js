// @ts-check
const ofSigning = /^(?:CSC|WIN_CSC|APPLE)_/

/**
 * Unsets what is empty among the variables that sign packages. A secret that a repository does not have arrives as an
 * empty text, which electron-builder takes on macOS for the path of a certificate.
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv} only the variables to unset
 */
export function unsetEmptySecrets(env) {
  const empty = Object.keys(env).filter((name) => env[name] === '' && ofSigning.test(name))
  return Object.fromEntries(empty.map((name) => [name, undefined]))
}

/**
 * What users have to know about packages without a signature.
 * @param {{ windows: boolean, macos: boolean }} isSigned
 * @returns {string} part of the release notes, empty if everything is signed
 */
export function unsignedNotes({ windows, macos }) {
  const systems = [...(windows ? [] : ['Windows']), ...(macos ? [] : ['macOS'])].join(' and ')
  if (systems === '') return ''
  const lines = [
    `The packages for ${systems} are not signed. ${systems} will warn before the first start.`,
    'Compare the hash of the file with `SHA256SUMS` before you start it.',
    ...(macos ? [] : ['On macOS the app cannot install updates itself, and shows alerts in its window only.']),
  ]
  return `\n## Not signed\n\n${lines.join('\n')}\n`
}
