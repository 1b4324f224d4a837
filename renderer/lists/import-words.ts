import type { ListImportPreview } from '../../protocol/answers'

type Sums = Pick<ListImportPreview, 'adds' | 'changes' | 'lists'>

function newCount({ lists }: Sums): number {
  return lists.filter(({ isNew }) => isNew).length
}

/** Whether everything in the file is there already. */
export function changesNothing(preview: Sums): boolean {
  return preview.adds === 0 && preview.changes === 0 && newCount(preview) === 0
}

/** What an import would do, in one sentence: "Adds 12 indices, changes 3, makes 2 new lists." */
export function summaryWords(preview: Sums): string {
  if (changesNothing(preview)) return 'Everything in this file is there already.'
  const made = newCount(preview)
  const parts = [
    `adds ${preview.adds} ${preview.adds === 1 ? 'index' : 'indices'}`,
    `changes ${preview.changes}`,
    ...(made === 0 ? [] : [`makes ${made} new ${made === 1 ? 'list' : 'lists'}`]),
  ]
  const text = parts.join(', ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
