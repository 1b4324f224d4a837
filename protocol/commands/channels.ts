import type { CommandName } from './contract'

/** IPC channel names. Separate from `contract.ts`, so that the preload has no validators. */
export const commandChannel = (name: CommandName): string => `indexwatch:${name}`
export const updateChannel = 'indexwatch:update'
