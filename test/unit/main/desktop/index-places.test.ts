import { describe, expect, test } from 'vitest'
import { indexBounds, readIndexPlaces, withIndexPlace } from '../../../../main/desktop/index-places'
import type { Screen } from '../../../../main/desktop/ticker-place'

const laptop: Screen = { key: '1@2', workArea: { x: 0, y: 30, width: 1440, height: 870 } }
const wall: Screen = { key: '2@1', workArea: { x: 1440, y: 0, width: 1920, height: 1080 } }
const both: [Screen, Screen] = [laptop, wall]
const nowhere = readIndexPlaces(undefined)
const size = { width: 500, height: 400 }

describe('the window of an index', () => {
  test('opens at first on the primary screen, each further one lower', () => {
    expect(indexBounds(nowhere, 'BRTI', both)).toEqual({ x: 32, y: 62, width: 560, height: 720 })
    expect(indexBounds({ ...nowhere, open: ['A', 'B'] }, 'BRTI', both)).toMatchObject({ x: 96, y: 126 })
  })

  test('opens with the size and at the place of the screen where it was last', () => {
    const places = withIndexPlace(nowhere, 'BRTI', { x: 2000, y: 100, ...size }, both)
    expect(indexBounds(places, 'BRTI', both)).toEqual({ x: 2000, y: 100, ...size })
    expect(indexBounds(places, 'BRR', both)).toMatchObject({ x: 32 })
  })

  test('opens on another screen when its own is unplugged, where it was there', () => {
    const onLaptop = withIndexPlace(nowhere, 'BRTI', { x: 40, y: 130, ...size }, both)
    const places = withIndexPlace(onLaptop, 'BRTI', { x: 2000, y: 100, ...size }, both)
    expect(indexBounds(places, 'BRTI', [laptop])).toEqual({ x: 40, y: 130, ...size })
    expect(indexBounds(places, 'BRTI', both)).toMatchObject({ x: 2000, y: 100 })
  })

  test('opens where it was dropped, but never off the screen', () => {
    expect(indexBounds(nowhere, 'BRTI', both, { x: 1500, y: 20 })).toMatchObject({ x: 1500, y: 20 })
    expect(indexBounds(nowhere, 'BRTI', both, { x: 3300, y: 1000 })).toMatchObject({ x: 2800, y: 360 })
    expect(indexBounds(nowhere, 'BRTI', both, { x: -9000, y: -9000 })).toMatchObject({ x: 0, y: 30 })
  })

  test('is shrunk to a smaller screen, and moved into it', () => {
    const places = withIndexPlace(nowhere, 'BRTI', { x: 1500, y: 40, width: 1900, height: 1000 }, both)
    const small: Screen = { key: wall.key, workArea: { x: 0, y: 0, width: 1024, height: 700 } }
    expect(indexBounds(places, 'BRTI', [small])).toEqual({ x: 0, y: 0, width: 1024, height: 700 })
  })

  test.each([[{ open: 'BRTI' }], [{ open: [], byIndex: { BRTI: { last: 1, byScreen: {} } } }], [null]])(
    'has no place if its file holds something else: %j',
    (value) => expect(readIndexPlaces(value)).toEqual(nowhere),
  )
})
