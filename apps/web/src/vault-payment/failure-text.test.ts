import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, expect, test } from 'vitest'
import { type FailureContext, failureTexts } from './failure-text.ts'
import type { Failure } from './payment-run.ts'

const context: FailureContext = {
  unpaid: 'UNPAID',
  asset: 'USDT',
  coin: 'BNB',
  network: 'Local chain',
}

const textsOf = (failure: Partial<Failure>, changes: Partial<FailureContext> = {}) => {
  showLocale('en')
  return failureTexts({ reason: 'reverted', detail: 'wallet words', ...failure }, { ...context, ...changes })
}

afterEach(() => showLocale('zh-HK'))

test.each([
  [{ reason: 'rejected' }, ['You rejected the request in your wallet.', 'UNPAID']],
  [{ reason: 'gas' }, [/enough BNB for the network fee/, 'UNPAID', 'Add some BNB, then try again.']],
  [{ reason: 'token_not_enough' }, [/enough for this payment/, 'UNPAID', 'Add some USDT, then try again.']],
  [{ reason: 'network' }, [/another network/, 'UNPAID', 'Switch to Local chain, then try again.']],
  [{ revert: 'EnforcedPause' }, ['The vault is paused.', 'UNPAID', 'Try again later.']],
  [
    { reason: 'call_differs' },
    [/didn’t match what you confirmed/, 'UNPAID', 'Don’t send this transaction from your wallet.'],
  ],
  [{ reason: 'other' }, ['Wallet message: wallet words', 'UNPAID']],
  [{ reason: 'payment_failed', lost: 'out_of_gas' }, [/ran out of gas/, /network fee was spent/, /gas limit/]],
  [{ reason: 'payment_failed', lost: 'dropped' }, [/no longer knows/, /Check your wallet/]],
  [{ reason: 'approval_failed', lost: 'cancelled' }, [/cancelled the approval/, /network fee was spent/]],
  [{ reason: 'approval_failed' }, [/approved less/, /did not move/, /without changing the amount/]],
] as [Partial<Failure>, (string | RegExp)[]][])(
  'says for %o what happened, the funds, the next step',
  (failure, expected) => {
    const texts = textsOf(failure)
    expect(texts).toHaveLength(expected.length)
    for (const [index, text] of expected.entries()) expect(texts[index]).toMatch(text)
  },
)

test('claims nothing about the funds while a request has no response', () => {
  expect(textsOf({ reason: 'other' }, { noResponse: 'NO RESPONSE' })).toEqual(['NO RESPONSE'])
  expect(textsOf({ reason: 'rejected' }, { noResponse: 'NO RESPONSE' })).toEqual([
    'You rejected the request in your wallet.',
    'NO RESPONSE',
  ])
})

test("a failed submission names the funds' location before its deadline", () => {
  const held = { unpaid: 'HELD', held: 'HELD' }
  expect(textsOf({ reason: 'payment_failed', lost: 'reverted', revert: 'NonceUsed' }, held)).toContain('HELD')
  expect(textsOf({ reason: 'payment_failed', lost: 'reverted', revert: 'VoucherExpired' }, held)).not.toContain('HELD')
  expect(textsOf({ revert: 'VoucherExpired' }, held)).not.toContain('HELD')
})
