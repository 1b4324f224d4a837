import { expect, test } from 'vitest'
import { appTitle } from '../../../../main/desktop/app-names'
import { textToPrint } from '../../../../main/desktop/launch-options'

test('a test build is named as one', () => {
  expect(appTitle('0.1.0')).toBe('Indexwatch')
  expect(appTitle('0.1.0-test')).toBe('Indexwatch TEST BUILD')
  expect(textToPrint(['--version'], '0.1.0-test')).toBe('Indexwatch TEST BUILD 0.1.0-test\n')
})
