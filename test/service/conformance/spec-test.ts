import { test, type TestContext } from 'vitest'

type Body = (context: TestContext) => Promise<void>

/** Timeout of every test, waiting included. */
const timeout = 60_000

/** What a service does. The name begins with the section of the spec; `docs/reports/conformance.md` lists it. */
export function holds(name: string, body: Body): void {
  test.concurrent(name, { timeout }, body)
}

/** What a service refuses, or never does. The name begins with the section of the spec. */
export function refuses(name: string, body: Body): void {
  test.concurrent(name, { timeout }, body)
}
