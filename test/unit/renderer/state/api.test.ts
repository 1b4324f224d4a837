import { expect, test, vi } from 'vitest'
import type { DesktopApi } from '../../../../protocol/commands/contract'
import { createApi } from '../../../../renderer/state/api'

test('a command gets no argument that has no value', async () => {
  const getAmendments = vi.fn(() => Promise.resolve({ ok: true, value: null }))
  const api = createApi({ getAmendments } as unknown as DesktopApi)
  await api.getAmendments({ indexId: 'BRTI', before: undefined })
  expect(getAmendments.mock.calls).toStrictEqual([[{ indexId: 'BRTI' }]])
})
