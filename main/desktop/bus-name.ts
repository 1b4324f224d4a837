import { busItself, newOwner, openSessionBus, ownerRule } from './session-bus'

interface Options {
  /** As in `DBUS_SESSION_BUS_ADDRESS`. */
  address: string
  name: string
  /** Called with whether the name has an owner, first when that is known, then at each change. */
  onOwned: (isOwned: boolean) => void
  /** Called once if the bus cannot be reached or ends. Nothing follows. */
  onLost: () => void
}

/** Watches whether a name on the session bus has an owner. Returns its stop function. */
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
