import * as z from 'zod/mini'
import { defineConfig } from '../../config/config-part.ts'
import { amount, opening, refuseEmptyOpening, refuseZero } from '../../config/fields.ts'

export const activationConfig = defineConfig({
  shape: {
    activation: z.strictObject({
      asset: z.literal('USDT'),
      amount: amount.check(z.describe('the price')),
      opening: opening.check(z.describe('daily opening times in Hong Kong')),
    }),
  },
  check({ activation }, fail) {
    refuseZero('activation.amount', activation.amount, fail)
    refuseEmptyOpening('activation.opening', activation.opening, fail)
  },
})
