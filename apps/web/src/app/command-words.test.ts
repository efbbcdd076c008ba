import type { LookedUpCommand, PayloadInput, ResponseOf } from '@clearwell/api/routes'
import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, expect, test } from 'vitest'
import { wordsFor } from '../account/lost-command/command-words.ts'
import { ApiError } from '../api/api-error.ts'
import type { FactsOf } from '../api/command-facts.ts'
import { featureScreens, loadFeatureCommands } from '../features.ts'

const words = await loadFeatureCommands()

afterEach(() => showLocale('zh-HK'))

interface Case<Name extends LookedUpCommand> {
  readonly payload: PayloadInput<Name>
  readonly facts: FactsOf<Name>
  /** In English and in Chinese. */
  readonly asked: readonly [string, string]
}

const RECEIPT = { deadline: '2030-01-01T00:00:00.000Z', pool_id: 'bnb-usdt' }
const SWAP_FACTS = { sold: 'USDT', bought: 'BNB', quotedIn: '1', quotedOut: '1' } as const

/** The requests of a user, by command: figures of the payload and of the facts beside it. */
const CASES: { readonly [Name in LookedUpCommand]: readonly Case<Name>[] } = {
  activeByBalance: [
    {
      payload: {},
      facts: { price: '10', asset: 'USDT' },
      asked: ['Activate the account for 10 USDT', '以 10 USDT 啟用帳戶'],
    },
  ],
  doSwap: [
    {
      payload: { ...RECEIPT, inverse: 1, amount: '30', min_amount_out: '0.05' },
      facts: SWAP_FACTS,
      asked: ['Swap 30 USDT for at least 0.05 BNB', '閃兌 30 USDT，最少收到 0.05 BNB'],
    },
    {
      payload: { ...RECEIPT, inverse: 1, exact: 'out', amount: '0.05', max_amount_in: '31' },
      facts: SWAP_FACTS,
      asked: ['Buy 0.05 BNB for at most 31 USDT', '買入 0.05 BNB，最多支付 31 USDT'],
    },
  ],
  pledge: [{ payload: { asset: 'USDT', amount: '5' }, facts: undefined, asked: ['Pledge 5 USDT', '質押 5 USDT'] }],
  unpledge: [
    {
      payload: { asset: 'USDT', amount: '5' },
      facts: undefined,
      asked: ['Withdraw 5 USDT from the pledge', '從質押提取 5 USDT'],
    },
    {
      payload: { asset: 'USDT', amount: 'all' },
      facts: undefined,
      asked: ['Withdraw the whole USDT pledge', '提取全部 USDT 質押'],
    },
  ],
  lend: [
    {
      payload: {
        borrow_asset: 'USDT',
        borrow_amount: '20',
        collateral_asset: 'BNB',
        collateral_amount: '0.1',
        term_days: 7,
      },
      facts: undefined,
      asked: ['Borrow 20 USDT against 0.1 BNB', '以 0.1 BNB 作抵押，借入 20 USDT'],
    },
  ],
  addCollateral: [
    {
      payload: { order_id: 'a', amount: '0.1' },
      facts: { asset: 'BNB' },
      asked: ['Add 0.1 BNB of collateral', '追加抵押品 0.1 BNB'],
    },
  ],
  removeCollateral: [
    {
      payload: { order_id: 'a', amount: '0.1' },
      facts: { asset: 'BNB' },
      asked: ['Take back 0.1 BNB of collateral', '取回抵押品 0.1 BNB'],
    },
  ],
  repay: [
    { payload: { order_id: 'a', amount: '5' }, facts: { asset: 'USDT' }, asked: ['Repay 5 USDT', '還款 5 USDT'] },
    {
      payload: { order_id: 'a', amount: 'all' },
      facts: { asset: 'USDT' },
      asked: ['Repay the whole USDT loan', '全數償還 USDT 借貸'],
    },
  ],
  liquidate: [
    {
      payload: { order_id: 'a', max_debt: '400' },
      facts: { lending: 'USDT', collateral: 'BNB', paid: '390' },
      asked: ['Liquidate an order for 390 USDT', '以 390 USDT 清算訂單'],
    },
  ],
  clickBox: [{ payload: {}, facts: undefined, asked: ['Click today’s box', '點擊今日盲盒'] }],
  claimBoxes: [
    {
      payload: { box_ids: ['a', 'b'] },
      facts: undefined,
      asked: ['Claim the rewards of 2 boxes', '領取 2 個盲盒的獎勵'],
    },
    { payload: { box_ids: ['a'] }, facts: undefined, asked: ['Claim the reward of 1 box', '領取 1 個盲盒的獎勵'] },
    { payload: {}, facts: undefined, asked: ['Claim all rewards', '領取全部獎勵'] },
  ],
  linkUid: [
    { payload: { uid: '123456', name: 'Ann' }, facts: undefined, asked: ['Link UID 123456', '連結 UID 123456'] },
  ],
  renameUid: [{ payload: { name: 'Ann' }, facts: undefined, asked: ['Rename the UID to Ann', '將 UID 改名為 Ann'] }],
  depositRt: [{ payload: { amount: '100' }, facts: undefined, asked: ['Deposit 100 RT', '存入 100 RT'] }],
  collectRt: [{ payload: {}, facts: { amount: '0.2' }, asked: ['Collect 0.2 RT', '領取 0.2 RT'] }],
  takeBackRt: [{ payload: {}, facts: { amount: '45' }, asked: ['Take back 45 RT', '取回 45 RT'] }],
  stepDown: [{ payload: {}, facts: undefined, asked: ['Step down to no star', '降至無星級'] }],
  requestUpgrade: [{ payload: {}, facts: undefined, asked: ['Request upgrade', '申請升級'] }],
  approveUpgrade: [
    {
      payload: { request_id: 'a' },
      facts: { name: 'Ann', star: 2 },
      asked: ['Approve Ann’s request', '同意 Ann 的申請'],
    },
  ],
  sell: [
    {
      payload: { asset: 'USDT', amount: '12.5' },
      facts: undefined,
      asked: ['Transfer out 12.5 USDT', '轉出 12.5 USDT'],
    },
  ],
}

const cases = (Object.keys(CASES) as LookedUpCommand[]).flatMap((name) =>
  CASES[name].map(({ asked: [en, zh], ...asked }) => ({ name, asked: asked as never, en, zh })),
)

test.each(cases)('$name says what was asked: $en', ({ name, asked, en, zh }) => {
  const own = wordsFor(words, { name })
  showLocale('en')
  expect(own.asked(asked)).toBe(en)
  showLocale('zh-HK')
  expect(own.asked(asked)).toBe(zh)
})

test.each(cases)('$name links to a screen', ({ name, asked }) => {
  const { to } = wordsFor(words, { name }).link({} as never, asked)
  expect(Object.keys(featureScreens)).toContain(to.replace('/{-$locale}', ''))
})

test('every command explains a refusal with at least the server’s message', () => {
  showLocale('en')
  for (const { name, asked } of cases) {
    const refused = wordsFor(words, { name }).refused
    expect(refused?.(new ApiError(20001, 'Balance not enough', null), asked) ?? 'none', name).not.toBe('')
  }
})

test.each([
  [
    'liquidate',
    { received: '0.9', paid: '390', profit: '30', remaining_debt: '0', status: -1 },
    'You received 0.9 BNB. You paid 390 USDT. At the price of the liquidation your profit is 30 USDT. The order is closed.',
  ],
  [
    'claimBoxes',
    {
      amount: [
        { asset: 'USDT', amount: '2' },
        { asset: 'BNB', amount: '0' },
      ],
    },
    '+2 USDT. Claimed to your available balance.',
  ],
  ['collectRt', { wallet_balance: '50' }, 'Your RT wallet balance is now 50 RT.'],
  ['repay', { status: 1, collateral_amount: '1', collateral_asset: 'BNB' }, '1 BNB is back in your available balance.'],
  [
    'sell',
    { amount: '12.5', asset: 'USDT' },
    '12.5 USDT is locked for your transfer out. Submit the voucher with your wallet next.',
  ],
] as const)('%s says its result', (name, response, text) => {
  showLocale('en')
  const asked = CASES[name][0]
  expect(wordsFor(words, { name }).done(response as never as ResponseOf<typeof name>, asked as never)).toBe(text)
})
