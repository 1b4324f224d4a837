import { busItself, newOwner, openSessionBus, ownerRule } from './session-bus'

interface Options {
  /** As `DBUS_SESSION_BUS_ADDRESS` has it. */
  address: string
  name: string
  /** Whether somebody has the name: once at first, then at every change. */
  onOwned: (isOwned: boolean) => void
  /** The bus cannot be asked, or ended: nothing more will be known. */
  onLost: () => void
}

/** Follows whether a name on the session bus has an owner until the returned function is called. */
export function watchBusName({ address, name, onOwned, onLost }: Options): () => void {
  let isOver = false
  const lost = () => {
    if (isOver) return
    isOver = true
    onLost()
  }
  const bus = openSessionBus({
    address,
    signals: [ownerRule(name)],
    onSignal: (signal) => {
      const owner = newOwner(signal, name)
      if (owner !== undefined && !isOver) onOwned(owner !== '')
    },
    onLost: lost,
  })
  if (bus === undefined) lost()
  bus?.invoke({ ...busItself, member: 'NameHasOwner', signature: 's', body: [name] }, (_error, isOwned) => {
    if (isOver) return
    if (typeof isOwned === 'boolean') onOwned(isOwned)
    else lost()
  })
  return () => {
    isOver = true
    bus?.connection.end()
  }
}
