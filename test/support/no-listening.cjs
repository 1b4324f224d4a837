// @ts-check
// Loaded before the app. Its utility processes cannot listen on any port.
const { Server } = process.getBuiltinModule('node:net')

if (/** @type {{ type?: string }} */ (process).type === 'utility') {
  Server.prototype.listen = function listen() {
    process.nextTick(() => this.emit('error', new Error('planted')))
    return this
  }
}
