/**
 * Attachment of what takes room from a table when it comes: the row with the focus is scrolled to where it is seen, once
 * there is less room.
 */
export function keepFocusInSight(): () => void {
  const frame = requestAnimationFrame(() => document.activeElement?.closest('tr')?.scrollIntoView({ block: 'nearest' }))
  return () => cancelAnimationFrame(frame)
}
