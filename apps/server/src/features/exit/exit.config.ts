import type { FeatureConfig } from '@clearwell/api/config.routes'
import * as z from 'zod/mini'
import { defineConfig, type ValuesOf } from '../../config/config-part.ts'
import { address } from '../../config/fields.ts'
import type { PlatformConfig } from '../../config/platform-config.ts'
import { withDefaults } from '../../config/with-defaults.ts'

const exit = z.strictObject({
  canary: z
    .nullable(address)
    .check(
      z.describe(
        'address of the canary: an account on another machine that leaves the vault again and again without the servers. /trust shows its last exits. `null`: there is none',
      ),
    ),
})

export const exitConfig = defineConfig({
  shape: { exit: withDefaults(exit, { canary: null }) },
  check({ exit: { canary } }, fail, env) {
    if (canary !== null && env.vaultKind !== 'exits') fail('exit.canary needs a vault with exits: VAULT_KIND=exits')
  },
})

export type CanaryConfig = Pick<PlatformConfig, 'env'> & ValuesOf<typeof exitConfig.shape>

/** The part of `GET /config` about leaving. */
export function publishExits(config: CanaryConfig): Pick<FeatureConfig, 'vault_exits' | 'canary'> {
  return { vault_exits: config.env.vaultKind === 'exits', canary: canaryOf(config) ?? null }
}

/** Returns the account of the canary, in lower case; `undefined` without one. */
export function canaryOf({ exit }: Pick<CanaryConfig, 'exit'>): string | undefined {
  return exit.canary?.toLowerCase()
}
