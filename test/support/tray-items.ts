/** What the menu of the tray has below the values, where nothing is unread, muted or paused. */
export const trayItems = [
  'No unread events',
  'Mute alerts for 1 hour',
  'Mute alerts until I unmute',
  'Disconnect',
  'Show ticker',
  'Quit',
]
