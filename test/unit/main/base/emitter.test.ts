import { expect, test } from 'vitest'
import { Emitter } from '../../../../main/base/emitter'

interface Events {
  changed: number
  ended: null
}

function recordingEmitter() {
  const errors: unknown[] = []
  return { emitter: new Emitter<Events>((error) => errors.push(error)), errors }
}

test('listeners get their own events in order until they unsubscribe', () => {
  const { emitter } = recordingEmitter()
  const heard: string[] = []
  const leave = emitter.on('changed', (number) => heard.push(`first ${number}`))
  emitter.on('changed', (number) => heard.push(`second ${number}`))
  emitter.emit('changed', 1)
  emitter.emit('ended', null)
  leave()
  leave()
  emitter.emit('changed', 2)
  expect(heard).toEqual(['first 1', 'second 1', 'second 2'])
})

test('a listener that throws affects neither the others nor the caller', () => {
  const { emitter, errors } = recordingEmitter()
  const heard: number[] = []
  const fault = new Error('planted')
  emitter.on('changed', () => {
    throw fault
  })
  emitter.on('changed', (number) => heard.push(number))
  emitter.emit('changed', 7)
  expect(heard).toEqual([7])
  expect(errors).toEqual([fault])
})

test('a listener may come or go during an event without disturbing it', () => {
  const { emitter } = recordingEmitter()
  const heard: string[] = []
  const leave = emitter.on('changed', () => {
    leave()
    emitter.on('changed', () => heard.push('came'))
  })
  emitter.on('changed', () => heard.push('stayed'))
  emitter.emit('changed', 1)
  expect(heard).toEqual(['stayed'])
  emitter.emit('changed', 2)
  expect(heard).toEqual(['stayed', 'stayed', 'came'])
})

test('the same function may subscribe twice, and unsubscribes once each', () => {
  const { emitter } = recordingEmitter()
  const heard: number[] = []
  const listener = (number: number) => heard.push(number)
  emitter.on('changed', listener)
  const leave = emitter.on('changed', listener)
  leave()
  emitter.emit('changed', 3)
  expect(heard).toEqual([3])
})
