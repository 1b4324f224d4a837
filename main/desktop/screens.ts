import { screen } from 'electron'
import type { Screen } from './ticker-place'

/** All screens, the primary one first. */
export function screens(): [Screen, ...Screen[]] {
  const primary = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id)
  const asScreen = ({ id, scaleFactor, workArea }: Electron.Display): Screen => ({
    key: `${id}@${scaleFactor}`,
    workArea,
  })
  return [asScreen(primary), ...others.map(asScreen)]
}
