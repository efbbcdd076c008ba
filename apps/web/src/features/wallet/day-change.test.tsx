import type { ResponseOf } from '@clearwell/api/routes'
import { parseEther } from 'viem'
import { expect, test } from 'vitest'
import { textOf } from '../../testing/facts.ts'
import { renderScreen, responseTo } from '../../testing/render-screen.tsx'
import type { Balance } from './asset-list.tsx'
import { changeUpTo, holdingsKey } from './day-change.tsx'

type Summary = ResponseOf<'summary'>
const DAY = { period: 'day' } as const

const SUMMARY = {
  ...{ total_usdt: '100', owed_usdt: '0', net_usdt: '100', by_asset: [], by_place: [], history: [] },
  performance: {
    since: '2030-01-01T00:00:00.000Z',
    ...{ start_usdt: '0', start_net_usdt: '0', transferred_in_usdt: '110', transferred_out_usdt: '0' },
    ...{ activation_usdt: '10', borrowed_usdt: '0', change_usdt: '0', change: '0' },
  },
} satisfies Summary

const USDT: Balance = {
  ...{ asset: 'USDT', available: '100', locked: '0', pledged: '0', collateral: '0', total: '100', value_usdt: '100' },
  ...{ owed: '0', owed_usdt: '0' },
}
const AFTER_SWAP: Balance[] = [
  { ...USDT, available: '60', total: '60', value_usdt: '60' },
  { ...USDT, asset: 'BNB', available: '0.1', total: '0.1', value_usdt: '37.01' },
]

/** The wallet with a summary that was fetched for these holdings. */
const walletHtml = (balances: Balance[], { summaryOf }: { summaryOf: Balance[] }) =>
  renderScreen('/en/wallet', {
    user: {},
    responses: [
      responseTo('balances', {}, balances),
      responseTo('summary', DAY, SUMMARY),
      { queryKey: ['summary', DAY, holdingsKey(summaryOf)], data: SUMMARY },
    ],
  })

test('the change of the day leads to the total on screen', async () => {
  const html = await walletHtml(AFTER_SWAP, { summaryOf: AFTER_SWAP })
  expect(html).toContain('97.01')
  expect(html).toContain('−2.99 USDT (−2.71%)')
  expect(html).toContain('24h, excl. transfers and 10 USDT for activation')
})

test('a change that other holdings had is never shown', async () => {
  const html = await walletHtml(AFTER_SWAP, { summaryOf: [USDT] })
  expect(html).toContain('97.01')
  expect(html).not.toContain('24h, excl. transfers')
})

test.each([
  ['a gain', '121', {}, '21', '0.190909090909090909'],
  ['a transfer out', '50', { transferred_out_usdt: '50' }, '0', '0'],
  ['debts above the holdings at the start', '5', { start_net_usdt: '-120' }, '25', null],
  ['debts above the holdings now', '-10', {}, '-110', '-1'],
])('the change with %s', (_case, total, flows, change, fraction) => {
  expect(changeUpTo(units(total), { ...SUMMARY.performance, ...flows })).toEqual({ change, fraction })
})

function units(text: string): bigint {
  return parseEther(text)
}

test.each([
  ['/en/wallet', 'Total value 0.00 0 . 0 0 USDT No assets Transfer in to start Transfer in'],
  ['/wallet', '總值 0.00 0 . 0 0 USDT 沒有資產 轉入款項即可開始 轉入'],
])('%s leaves no gap under the total of an empty account', async (path, words) => {
  const empty = { ...USDT, available: '0', total: '0', value_usdt: '0' }
  const nothing = { ...SUMMARY.performance, transferred_in_usdt: '0', activation_usdt: '0' }
  const html = await renderScreen(path, {
    user: {},
    responses: [
      responseTo('balances', {}, [empty]),
      { queryKey: ['summary', DAY, holdingsKey([empty])], data: { ...SUMMARY, performance: nothing } },
    ],
  })
  expect(textOf(html)).toContain(words)
})
