// @ts-check
// Loaded before the app. SIGUSR2 throws an uncaught error in its main process.
process.on('SIGUSR2', () => {
  throw new Error('planted')
})
