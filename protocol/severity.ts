/** How much an alert matters; says how it is shown and whether it is heard. Lightest first. */
export const severities = ['info', 'normal', 'urgent'] as const
export type AlertSeverity = (typeof severities)[number]
