import { afterEach, expect, test, vi } from 'vitest'
import {
  environmentWithoutSessionBus,
  environmentWithSessionBus,
  isWithoutSessionBus,
} from '../../../../main/base/session-bus'

afterEach(() => {
  vi.unstubAllEnvs()
})

const variable = 'DBUS_SESSION_BUS_ADDRESS'

test('a process that does without the bus gives its address to those that need it', () => {
  vi.stubEnv(variable, 'unix:path=/run/user/1000/bus')
  expect(isWithoutSessionBus()).toBe(false)
  const without = environmentWithoutSessionBus()
  for (const [name, value] of Object.entries(without)) vi.stubEnv(name, value)
  expect(isWithoutSessionBus()).toBe(true)
  expect(environmentWithSessionBus()[variable]).toBe('unix:path=/run/user/1000/bus')
})

test('a process whose unit switched the bus off lets D-Bus look for it', () => {
  vi.stubEnv(variable, 'disabled:')
  expect(isWithoutSessionBus()).toBe(true)
  expect(environmentWithSessionBus()[variable]).toBeUndefined()
})
