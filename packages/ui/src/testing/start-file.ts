import { vi } from 'vitest'

/**
 * Runs before each test file. The files share processes and with them the packages of node_modules, which take most of
 * the time to load. The app's own modules, and with them its stores and what `vi.mock` replaced, are new in each file.
 */
vi.useRealTimers()
vi.unstubAllGlobals()
vi.unstubAllEnvs()
vi.resetModules()
