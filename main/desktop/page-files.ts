import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { pageHosts } from '../../protocol/commands/contract'
import type { Log } from '../base/log'

export const pageUrl = `app://${pageHosts.window}/index.html`
/** Followed by the id of the index. */
export const indexWindowUrl = `app://${pageHosts.index}/index-window.html?id=`
export const tickerUrl = `app://${pageHosts.ticker}/ticker.html`

const hosts: ReadonlySet<string> = new Set(Object.values(pageHosts))

/**
 * What the page may do. It loads nothing from elsewhere and runs no code made from text. The only Trusted Types policy
 * is Svelte's, for its compiled templates.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-src 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types svelte-trusted-html',
  // Denies system dialogs opened by scripts, printing, windows and downloads.
  'sandbox allow-scripts allow-same-origin allow-forms',
].join('; ')

const mimeTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** The page's files: path on disk by path in the URL (`/index.html`). Other kinds of files are ignored. */
export async function listPageFiles(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && extname(entry.name) in mimeTypes)
    .map((entry) => join(entry.parentPath, entry.name))
  return new Map(files.map((path) => [`/${relative(folder, path).split(sep).join('/')}`, path]))
}

/**
 * Answers one request for the page. The path is looked up among the known files and never resolved on disk. Anything
 * else is 404.
 */
export async function answerPageRequest(
  files: ReadonlyMap<string, string>,
  request: { url: string; method: string },
): Promise<Response> {
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined
  const isOurs = request.method === 'GET' && url?.protocol === 'app:' && hosts.has(url.host)
  const path = isOurs ? files.get(url.pathname) : undefined
  if (path === undefined) return new Response(null, { status: 404 })
  return new Response(new Uint8Array(await readFile(path)), {
    headers: {
      'content-type': mimeTypes[extname(path)] ?? 'application/octet-stream',
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  })
}

/** The secure, standard scheme of the page. Must be registered before Electron is ready. */
export const pageScheme = { scheme: 'app', privileges: { standard: true, secure: true, codeCache: true } }

/** Returns the handler for Electron's `protocol.handle`, which serves the built pages in `folder`. */
export async function pageHandler(
  folder: string,
  log: Log,
): Promise<(request: { url: string; method: string }) => Promise<Response>> {
  const files = await listPageFiles(folder)
  return async (request) => {
    try {
      return await answerPageRequest(files, request)
    } catch (error) {
      log.error('A file of the window could not be read', { error: String(error) })
      return new Response(null, { status: 500 })
    }
  }
}
