import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..', 'golden')

/** A message sample, see test/golden/README.md. */
export interface GoldenCase {
  file: string
  spec: string
  from: 'server' | 'client' | 'rest'
  channel: string
  title: string
  readable: boolean
  decoded?: unknown
  refused?: string
  why?: string
}

/** All cases, in the order of the index. */
export function goldenCases(): GoldenCase[] {
  return JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as GoldenCase[]
}

/** The text of a case, exactly as it is sent. */
export function goldenText(file: string): string {
  return readFileSync(join(folder, file), 'utf8')
}

/** Names of the existing files, whether the index lists them or not. */
export function goldenFiles(): string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.json') && name !== 'index.json')
}
