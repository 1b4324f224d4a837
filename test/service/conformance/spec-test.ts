import { test, type TestContext } from 'vitest'

type Body = (context: TestContext) => Promise<void>

/** Timeout of every test, waiting included. */
const timeout = 60_000

/** A test of what a service does. The name begins with a section of docs/reports/conformance.md. */
export function holds(name: string, body: Body): void {
  test.concurrent(name, { timeout }, body)
}

/** A test of what a service refuses or never does. The name begins with its section of the spec. */
export function refuses(name: string, body: Body): void {
  test.concurrent(name, { timeout }, body)
}
