import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerPageRequest, listPageFiles } from '../../../../main/desktop/page-files'

let folder = ''
let files: ReadonlyMap<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'indexwatch-page-'))
  await mkdir(join(folder, 'page', 'assets'), { recursive: true })
  await writeFile(join(folder, 'secret.html'), 'outside')
  await writeFile(join(folder, 'page', 'index.html'), '<!doctype html>ä')
  await writeFile(join(folder, 'page', 'assets', 'main.js'), 'export {}')
  await writeFile(join(folder, 'page', 'notes.txt'), 'not part of a page')
  files = await listPageFiles(join(folder, 'page'))
})

afterAll(async () => {
  await rm(folder, { recursive: true })
})

function get(url: string, method = 'GET') {
  return answerPageRequest(files, { url, method })
}

describe('the page scheme', () => {
  test('serves the known files exactly, with their types', async () => {
    const answer = await get('app://indexwatch/index.html')
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('<!doctype html>ä')
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const script = await get('app://indexwatch/assets/main.js?query#hash')
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  })

  test('sends the policy of the page', async () => {
    const { headers } = await get('app://indexwatch/index.html')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    const policy = headers.get('content-security-policy') ?? ''
    for (const rule of [
      "default-src 'none'",
      "connect-src 'none'",
      "script-src 'self'",
      "require-trusted-types-for 'script'",
    ]) {
      expect(policy.split('; ')).toContain(rule)
    }
    expect(policy).not.toContain('unsafe')
  })

  test.each([
    'app://indexwatch/',
    'app://indexwatch/notes.txt',
    'app://indexwatch/../secret.html',
    'app://indexwatch/%2e%2e/secret.html',
    'app://indexwatch/..%2fsecret.html',
    'app://indexwatch/assets/%2e%2e/%2e%2e/secret.html',
    'app://indexwatch/index.html%00',
    'app://indexwatch//index.html',
    'app://elsewhere/index.html',
    'https://indexwatch/index.html',
    'nonsense',
  ])('has no %s', async (url) => {
    expect((await get(url)).status).toBe(404)
  })

  test('serves the ticker from its own host under the same policy', async () => {
    const { status, headers } = await get('app://ticker/index.html')
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toBe(
      (await get('app://indexwatch/index.html')).headers.get('content-security-policy'),
    )
  })

  test('answers only GET', async () => {
    expect((await get('app://indexwatch/index.html', 'POST')).status).toBe(404)
  })
})
