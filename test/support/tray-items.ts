/** What the menu of the tray has below the values, where nothing is unread, muted or paused. */
export const trayItems = ['No unread alerts', 'Mute for 1 hour', 'Mute all', 'Pause', 'Show ticker', 'Quit']
