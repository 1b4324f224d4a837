/** The services whose addresses the app knows. Their hosts are contacted without asking the user first. */
export const knownServices = {
  cfBenchmarks: {
    name: 'CF Benchmarks',
    webSocketUrl: 'wss://www.cfbenchmarks.com/ws/v4',
    restUrl: 'https://www.cfbenchmarks.com',
  },
  nasdaq: {
    name: 'CF Benchmarks Nasdaq',
    webSocketUrl: 'wss://nciprod1.cfbenchmarks.com/ws/v4',
    restUrl: 'https://nciprod1.cfbenchmarks.com',
  },
} as const

export type KnownService = keyof typeof knownServices
