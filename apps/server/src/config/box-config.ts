import * as z from 'zod/mini'
import { ConfigError } from './config-error.ts'
import { defineConfig } from './config-part.ts'
import { opening, refuseEmptyOpening } from './fields.ts'

const blindBox = z.strictObject({
  opening: opening.check(z.describe('daily opening times of clicks in Hong Kong; claims have `claim.opening`')),
  allowsDraws: z
    .boolean()
    .check(
      z.describe('`false` where draws are not allowed: every box then draws ×1. It counts for days that close later'),
    ),
})

/** Keys that the features `blind-box` and `node` read. */
export const boxConfig = defineConfig({
  shape: {
    blindBox: z._default(blindBox, { opening: 'always', allowsDraws: true }),
  },
  check({ blindBox: { opening: window, allowsDraws } }, fail, env) {
    refuseEmptyOpening('blindBox.opening', window, fail)
    if (env.profile !== 'local' && allowsDraws && !env.boxSeedKey)
      throw new ConfigError(
        'BOX_SEED_KEY must be set outside the local profile, or blindBox.allowsDraws must be false.',
      )
  },
})
