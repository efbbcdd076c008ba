import * as z from 'zod/mini'
import { addressText, amountText, asset, decimalText, optional, timeText, wholeNumber } from './fields.ts'
import type { Route } from './route.ts'

/** Controls of the local profile. Other profiles do not have these paths. */
export const localRoutes = {
  localFaucet: {
    method: 'POST',
    path: '/Local/faucet',
    session: 'none',
    idempotent: false,
    localOnly: true,
    summary: 'Gives 10 BNB, 10,000 USDT and 5 ETH on the local chain.',
    payload: z.object({ address: addressText }),
    response: z.object({ items: z.array(z.object({ asset, amount: decimalText, tx_hash: z.string() })) }),
    refusals: ['invalid_account'],
  },
  localAdvance: {
    method: 'POST',
    path: '/Local/advance',
    session: 'none',
    idempotent: false,
    localOnly: true,
    summary: "Moves the server's clock and the chain's forward, and runs what falls due.",
    payload: z.object({ seconds: wholeNumber(1, 315_360_000) }),
    response: z.object({ time: timeText }),
    refusals: [],
  },
  localPrice: {
    method: 'POST',
    path: '/Local/price',
    session: 'none',
    idempotent: false,
    localOnly: true,
    summary: 'Sets the simulated spot price of a symbol.',
    payload: z.object({ symbol: z.string().check(z.regex(/^[A-Z0-9]{4,20}$/, 'not a symbol')), price: amountText }),
    response: z.object({ symbol: z.string(), price: decimalText }),
    refusals: ['not_found', 'amount_out_of_range'],
  },
} as const satisfies Record<string, Route>

/** The call of the local profile that its simulated people serve: see demo/. */
export const peopleRoutes = {
  localSeed: {
    method: 'POST',
    path: '/Local/seed',
    session: 'none',
    idempotent: false,
    localOnly: true,
    summary: 'Fills in believable activity through the same commands that users use.',
    payload: z.object({
      users: wholeNumber(1, 50),
      days: wholeNumber(1, 90),
      seed: optional(wholeNumber(0, 2_147_483_647)),
    }),
    response: z.object({ users: z.int(), swaps: z.int(), time: timeText }),
    refusals: [],
  },
} as const satisfies Record<string, Route>
