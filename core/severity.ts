/** How much an alert matters: how it is shown and whether it plays a sound. Lowest first. */
export const severities = ['info', 'normal', 'urgent'] as const
export type AlertSeverity = (typeof severities)[number]
