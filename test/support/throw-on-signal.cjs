// @ts-check
// Required before the app: SIGUSR2 is a fault that nobody catches, in its main process.
process.on('SIGUSR2', () => {
  throw new Error('planted')
})
