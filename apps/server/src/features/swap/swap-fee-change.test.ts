import { refusalOf } from '@clearwell/ledger/testing/memory-ledger'
import { beforeEach, expect, test } from 'vitest'
import { swapFees, swapFeesOf } from '../../domain/pools/swap-rules.ts'
import { ruleActions, storeFirstValues } from '../../platform/rules/announce-rule.ts'
import { createRules, mapRuled } from '../../platform/rules/ruled.ts'
import { performAction } from '../../testing/perform-action.ts'
import { BNB_POOL, SWAP_RULES, SwapLedger, sell } from '../../testing/swap-ledger.ts'
import { executeSwap, type SwapAmounts } from './execute-swap.ts'

const CONFIG = { swap: { feeBps: 25, revenueBps: 8 } }
/** For 1 BNB from the pool as it opens, at a fee of 0.25 %: the golden amount of execute-swap.test.ts. */
const QUOTED = 597_903_591_167_810_109_415n

let ledger: SwapLedger
beforeEach(() => {
  ledger = new SwapLedger()
  ledger.execute(storeFirstValues([swapFees], CONFIG))
})

const announce = (feeBps: number) =>
  performAction(ledger, ruleActions([swapFees])[0], { rule: 'swap-fees', value: { feeBps, revenueBps: 8 } })

/** Swaps on a server whose own configuration file has another fee. */
function swap(amounts: SwapAmounts) {
  const config = { swap: { feeBps: 500, revenueBps: 8 } }
  const ruled = createRules({ db: {} as never, clock: { now: () => ledger.now }, config })
  const rules = { ...SWAP_RULES, fees: mapRuled(ruled.of(swapFees), swapFeesOf) }
  const trade = { userId: 'trader', parentId: null, pool: BNB_POOL, inverse: false, key: undefined }
  return ledger.execute(executeSwap(rules, { ...trade, ...amounts, deadline: ledger.now }))
}

test('a swap before the start pays the earlier fee', () => {
  announce(30)
  ledger.advance(7 * 86_400 - 1)
  expect(swap(sell('1', QUOTED))).toMatchObject({ fee: '0.0025', amount_out: '597.903591167810109415' })
})

test('a swap quoted before a higher fee keeps its limit', () => {
  announce(30)
  ledger.advance(7 * 86_400)
  const before = ledger.has('trader', 'BNB')
  const { refusal } = refusalOf(() => swap(sell('1', QUOTED)))
  expect([refusal, ledger.has('trader', 'BNB')]).toEqual(['price_moved', before])
  // With half a percent of slippage it is made, at the fee in force.
  expect(swap(sell('1', (QUOTED * 995n) / 1_000n))).toMatchObject({ fee: '0.003' })
})

test('a swap quoted before a lower fee gets more than quoted', () => {
  announce(10)
  const { fee, amount_out } = swap(sell('1', QUOTED))
  expect([fee, Number(amount_out) > 597.91]).toEqual(['0.001', true])
})
