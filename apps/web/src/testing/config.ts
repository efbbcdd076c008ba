import type { FeatureConfig } from '@clearwell/api/config.routes'
import type { WholeConfig } from '../api/config.ts'
import { profileWith } from '../wallet/testing/profile.ts'

const samples = import.meta.glob<{ readonly PUBLISHED?: Partial<FeatureConfig> }>('../features/*/*.samples.ts', {
  eager: true,
})

/** The fields of `GET /config` that features publish: `PUBLISHED` of their samples. A test compares them with the schema. */
const published = Object.assign({}, ...Object.values(samples).map(({ PUBLISHED }) => PUBLISHED)) as FeatureConfig

/** A whole configuration with these changes. */
export function testConfig(changes: Partial<WholeConfig> = {}): WholeConfig {
  return { ...profileWith(), ...published, ...changes }
}
