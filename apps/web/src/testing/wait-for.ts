import { vi } from 'vitest'

/** Waits as `vi.waitFor`, for 20 s where no time is given: its own second is too short for code that loads on a busy machine. */
export const waitFor: typeof vi.waitFor = (check, options = 20_000) => vi.waitFor(check, options)
