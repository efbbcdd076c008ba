import { CONFIG } from '../api/config.samples.ts'
import type { Config } from '../api/config.ts'

/** The sample of a configuration with these changes. */
export function testConfig(changes: Partial<Config> = {}): Config {
  return { ...CONFIG, ...changes }
}
