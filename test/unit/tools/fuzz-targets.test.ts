import { expect, test } from 'vitest'
import { readCorpus } from '../../../scripts/tools/fuzz/corpus'
import { pollution, targetNames, targets } from '../../../scripts/tools/fuzz/targets'

test.each(targetNames)('%s reads every stored text, and no built-in object changes', async (name) => {
  const texts = readCorpus(name)
  expect(texts.length).toBeGreaterThan(0)
  for (const text of texts) await targets[name](text)
  expect(pollution()).toEqual([])
})
