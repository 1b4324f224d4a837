import { expect, test } from 'vitest'
import { decimalSignOf } from '../../../../main/base/region'

test.each([
  [{ LANG: 'de_DE.UTF-8' }, 'en-US', ','],
  [{ LANG: 'fr_FR.UTF-8' }, undefined, ','],
  [{ LANG: 'en_US.UTF-8' }, 'de-DE', '.'],
  [{ LANG: 'en_US.UTF-8', LC_NUMERIC: 'de_DE@euro' }, 'en-US', ','],
  [{ LC_ALL: 'C', LC_NUMERIC: 'de_DE.UTF-8' }, 'de-DE', '.'],
  [{ LC_ALL: 'C.UTF-8' }, 'de-DE', '.'],
  [{ LC_ALL: '', LANG: 'POSIX' }, 'de-DE', '.'],
  [{}, 'de-DE', ','],
  [{}, 'pt-BR', ','],
  [{}, 'ar-EG', '.'],
  [{ LANG: '???' }, undefined, decimalSignOf({}, undefined)],
] as const)('the environment %j on a system in %s writes decimals with “%s”', (env, system, sign) =>
  expect(decimalSignOf(env, system)).toBe(sign),
)
