/** Attachment for an element whose appearance makes a table lower. Scrolls the focused row back into sight. */
export function keepFocusInSight(): () => void {
  const frame = requestAnimationFrame(() => document.activeElement?.closest('tr')?.scrollIntoView({ block: 'nearest' }))
  return () => cancelAnimationFrame(frame)
}
