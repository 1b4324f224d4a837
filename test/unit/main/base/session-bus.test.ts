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

test('a process without the bus passes its address to those that need it', () => {
  vi.stubEnv(variable, 'unix:path=/run/user/1000/bus')
  expect(isWithoutSessionBus()).toBe(false)
  const without = environmentWithoutSessionBus()
  for (const [name, value] of Object.entries(without)) vi.stubEnv(name, value)
  expect(isWithoutSessionBus()).toBe(true)
  expect(environmentWithSessionBus()[variable]).toBe('unix:path=/run/user/1000/bus')
})

test("lets D-Bus find the bus if the process's unit disabled it", () => {
  vi.stubEnv(variable, 'disabled:')
  expect(isWithoutSessionBus()).toBe(true)
  expect(environmentWithSessionBus()[variable]).toBeUndefined()
})
