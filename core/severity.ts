/** How much an alert matters: says how it is shown and whether it makes a sound. Lowest first. */
export const severities = ['info', 'normal', 'urgent'] as const
export type AlertSeverity = (typeof severities)[number]
