/** The tray menu's items below the values when nothing is unread, muted or paused. */
export const trayItems = [
  'No unread events',
  'Mute alerts for 1 hour',
  'Mute alerts until I unmute',
  'Disconnect',
  'Show ticker',
  'Quit',
]
