import type { Command } from '@clearwell/ledger/command'
import type { AssetId } from '@clearwell/money/asset'
import { E18 } from '@clearwell/money/scale'
import { activateByBalance, activationPurpose } from '@clearwell/server/src/features/activation/activate.ts'
import { executeSwap } from '@clearwell/server/src/features/swap/execute-swap.ts'
import { openPool } from '@clearwell/server/src/features/swap/open-pool.ts'
import { withdrawalRules } from '@clearwell/server/src/features/wallet/complete-withdrawal.ts'
import { orderDeposit } from '@clearwell/server/src/features/wallet/order-deposit.ts'
import { bookMovements } from '@clearwell/server/src/platform/custody/book-movements.ts'
import { fixedRule } from '@clearwell/server/src/testing/fixed-rule.ts'

const CHAIN_ID = 31337
const OPERATOR = userId(0)
const POOL = {
  id: 'bnb-usdt',
  base: 'BNB',
  quote: 'USDT',
  initialBase: 5_000n * E18,
  initialQuote: 3_100_000n * E18,
} as const
const ACTIVATION = {
  price: { asset: 'USDT', units: 10n * E18 },
  opening: 'always',
  orderTtlMs: 86_400_000,
  terms: null,
} as const
const SWAP = {
  fees: fixedRule({ totalBps: 25n, revenueBps: 8n }),
  revenueShares: fixedRule({ rewards: 5_000n, referral: 2_000n, insurance: 1_000n, treasury: 2_000n }),
}

/**
 * A command as plain data, so that it can be sent to another process and made again for a repetition or a replay. `name`
 * is also the idempotency key of the commands that take one.
 */
export type Step =
  | { readonly do: 'open_pool'; readonly name: string }
  /** The watcher's command has no key: what keeps it from crediting twice is its cursor. */
  | { readonly do: 'credit'; readonly name: string; readonly block: number; readonly deposits: readonly Paid[] }
  | { readonly do: 'order'; readonly name: string; readonly user: string; readonly units: bigint }
  | { readonly do: 'activate'; readonly name: string; readonly user: string }
  | (SwapTerms & { readonly do: 'swap'; readonly name: string })

interface SwapTerms {
  readonly user: string
  readonly inviter: string | null
  readonly inverse: boolean
  readonly amountIn: bigint
  readonly minAmountOut: bigint
}

interface Paid {
  readonly user: string
  readonly asset: AssetId
  readonly units: bigint
}

/** The outcome of a command, as plain data. */
export type StepOutcome =
  | { readonly ok: unknown }
  | { readonly refusal: string; readonly data: unknown }
  | { readonly notReady: string }
  | { readonly bug: string }

export function userId(number: number): string {
  return `0x${number.toString(16).padStart(40, '0')}`
}

/** Returns the steps before the first round: the operator's deposit, and the pool that it funds. */
export function firstSteps(): Step[] {
  const deposits = [
    { user: OPERATOR, asset: 'BNB', units: POOL.initialBase },
    { user: OPERATOR, asset: 'USDT', units: POOL.initialQuote },
  ] as const
  return [
    { do: 'credit', name: 'block-0', block: 0, deposits },
    { do: 'open_pool', name: 'open-pool' },
  ]
}

/**
 * The commands of a round, in two waves. A new user pays in, orders, activates and swaps, invited by the user of the
 * round before, and swap too; three commands are refused. All in one batch each, one building on the other.
 */
export function stepsOfRound(round: number): [Step[], Step[]] {
  const user = userId(round)
  const inviter = round > 1 ? userId(round - 1) : null
  const name = (text: string) => `round-${round}-${text}`
  const deposits = [
    { user, asset: 'USDT', units: 5_000n * E18 + BigInt(round) },
    { user, asset: 'BNB', units: 5n * E18 },
  ] as const
  const swap = (text: string, terms: Partial<SwapTerms> & { amountIn: bigint }): Step => ({
    do: 'swap',
    name: name(text),
    user,
    inviter,
    inverse: false,
    minAmountOut: 1n,
    ...terms,
  })
  return [
    [
      { do: 'credit', name: name('credit'), block: round, deposits },
      { do: 'order', name: name('order'), user, units: 100n * E18 },
      { do: 'order', name: name('order-refused'), user, units: 1n },
      swap('not-activated-yet', { amountIn: E18 }),
      { do: 'activate', name: name('activate'), user },
      swap('sell', { amountIn: E18 + BigInt(round * 7_919) }),
      swap('too-much', { amountIn: 1_000n * E18 }),
    ],
    [
      swap('buy', { inverse: true, amountIn: 100n * E18 }),
      swap('price-moved', { amountIn: E18, minAmountOut: 1_000n * E18 }),
      swap('inviter', { user: inviter ?? user, inviter: null, amountIn: E18 / 7n }),
      { do: 'activate', name: name('activate-again'), user },
    ],
  ]
}

/** The real command of a step: what the watcher and the routes would make. */
export function commandOf(step: Step): Command<unknown> {
  switch (step.do) {
    case 'open_pool':
      return openWithoutNews()
    case 'credit': {
      const to = blockOf(step.block)
      const deposits = step.deposits.map(({ user, asset, units }, logIndex) => ({
        txHash: `0xtx-${step.block}-${logIndex}`,
        logIndex,
        blockNumber: to.number,
        blockHash: to.hash,
        account: user,
        asset,
        units,
        orderId: null,
      }))
      const from = step.block === 0 ? undefined : blockOf(step.block - 1)
      const purposes = [activationPurpose(ACTIVATION)]
      const rules = { chainId: CHAIN_ID, operator: OPERATOR, purposes, withdrawals: withdrawalRules }
      return bookMovements(rules, { deposits, withdrawals: [] }, { from, to })
    }
    case 'order': {
      const rules = { limits: { minIn: 10n * E18, maxIn: 1_000_000n * E18 }, orderTtlMs: ACTIVATION.orderTtlMs }
      const amount = { asset: 'USDT', units: step.units } as const
      return orderDeposit(rules, { userId: step.user, amount, key: step.name })
    }
    case 'activate':
      return activateByBalance(ACTIVATION, { userId: step.user, key: step.name })
    case 'swap':
      return executeSwap(SWAP, {
        userId: step.user,
        parentId: step.inviter,
        pool: POOL,
        inverse: step.inverse,
        amountIn: step.amountIn,
        minAmountOut: step.minAmountOut,
        deadline: new Date('2100-01-01T00:00:00Z'),
        key: step.name,
      })
  }
}

/** A command without a key is decided again when it is repeated, and its pool is not new then. */
function openWithoutNews(): Command<{ open: boolean }> {
  const command = openPool(POOL)
  return {
    ...command,
    decide(state, context) {
      const plan = command.decide(state, context)
      return { ...plan, response: { open: plan.response.open } }
    },
  }
}

function blockOf(number: number): { number: bigint; hash: string; time: Date } {
  const time = new Date(Date.UTC(2026, 0, 1, 0, 0, number))
  return { number: BigInt(number), hash: `0xblock-${number}`, time }
}
