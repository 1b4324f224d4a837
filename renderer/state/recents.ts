import type { IndexId } from '../../core/model'

const storageKey = 'recently-chosen'
const maxKept = 12

/** Keys of the palette items chosen last, newest first. They survive a restart. */
export class Recents {
  keys: readonly string[] = localStorage.getItem(storageKey)?.split('\n') ?? []

  add(key: string): void {
    this.keys = [key, ...this.keys.filter((each) => each !== key)].slice(0, maxKept)
    localStorage.setItem(storageKey, this.keys.join('\n'))
  }

  addIndex(id: IndexId): void {
    this.add(openKey(id))
  }
}

/** The key of the palette item that opens an index. */
export function openKey(id: IndexId): string {
  return `open ${id}`
}
