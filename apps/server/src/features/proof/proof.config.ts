import type { FeatureConfig } from '@clearwell/api/config.routes'
import * as z from 'zod/mini'
import { defineConfig, type ValuesOf } from '../../config/config-part.ts'
import { address } from '../../config/fields.ts'
import type { PlatformConfig } from '../../config/platform-config.ts'
import { withDefaults } from '../../config/with-defaults.ts'
import { rootSigner } from './proof-headers.ts'

const formerKeys = (what: string) =>
  z
    .array(address)
    .check(
      z.maxLength(10),
      z.describe(
        `addresses of ${what} that signed headers before the present one. A browser accepts their signatures, so a check in the hour of a replacement does not fail`,
      ),
    )

const proof = z.strictObject({
  formerRootKeys: formerKeys('root keys'),
  formerBookkeepers: formerKeys('bookkeepers'),
})

export const proofConfig = defineConfig({
  shape: { proof: withDefaults(proof, { formerRootKeys: [], formerBookkeepers: [] }) },
})

/** The part of `GET /config` with the keys that sign headers. */
export function publishProofKeys(
  config: Pick<PlatformConfig, 'env'> & ValuesOf<typeof proofConfig.shape>,
): Pick<FeatureConfig, 'proof_keys'> {
  if (!config.env.proofs) return { proof_keys: null }
  const { env, proof } = config
  const root = [rootSigner(config).address, ...proof.formerRootKeys]
  const active = env.bookkeepers.map(({ address }) => address)
  const bookkeepers = active.length > 0 ? [...active, ...proof.formerBookkeepers] : []
  return { proof_keys: { root: lowerOnce(root), bookkeepers: lowerOnce(bookkeepers) } }
}

function lowerOnce(addresses: readonly string[]): string[] {
  return [...new Set(addresses.map((each) => each.toLowerCase()))]
}
