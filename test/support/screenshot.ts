import type { Rectangle } from 'electron'
import type { RunningApp } from './app-bench'

/**
 * A PNG of the screen or a part of it, and the colour at its centre. The app takes it, so that no other tool is needed.
 */
export async function screenshot({ app }: RunningApp, part?: Rectangle): Promise<{ png: Buffer; colour: string }> {
  const taken = await app.evaluate(async ({ desktopCapturer, screen }, wanted) => {
    const { size } = screen.getPrimaryDisplay()
    const [source] = await desktopCapturer.getSources({ types: ['screen'], thumbnailSize: size })
    if (source === undefined) throw new Error('there is no screen')
    const image = wanted === undefined ? source.thumbnail : source.thumbnail.crop(wanted)
    const { width, height } = image.getSize()
    const at = 4 * (width * Math.floor(height / 2) + Math.floor(width / 2))
    const colour = image
      .toBitmap()
      .subarray(at, at + 3)
      .reverse()
      .toString('hex')
    return { png: image.toPNG().toString('base64'), colour: `#${colour}` }
  }, part)
  return { png: Buffer.from(taken.png, 'base64'), colour: taken.colour }
}
