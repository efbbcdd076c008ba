import type { Config } from '../api/config.ts'
import { profileWith } from '../wallet/testing/profile.ts'

/** A whole configuration with these changes. */
export function testConfig(changes: Partial<Config> = {}): Config {
  return profileWith(changes)
}
