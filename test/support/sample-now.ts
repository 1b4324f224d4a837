/** The wall clock of the samples: 21 November 2026, 14:02:11.600 UTC. */
export const sampleNowMs = Date.UTC(2026, 10, 21, 14, 2, 11, 600)
