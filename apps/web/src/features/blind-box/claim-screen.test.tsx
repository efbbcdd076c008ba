import type { ResponseOf } from '@clearwell/api/routes'
import { hiddenAmountsStore } from '@clearwell/ui/browser/hidden-amounts.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { textOf } from '../../testing/facts.ts'
import { pageOf, renderScreen, responseTo } from '../../testing/render-screen.tsx'
import type { Box, BoxStatus } from './blind-box.queries.ts'
import { BOX, CLICKED_STATUS } from './blind-box.samples.ts'
import { ClaimedAmounts } from './claim-confirm-screen.tsx'
import { rewardSum } from './claim-sum.ts'

const PAIR: ResponseOf<'pairs'>[number] = {
  ...{ id: 'bnb-usdt', base: 'BNB', quote: 'USDT', symbol: 'BNBUSDT', price: '620', fee: '0.0025', spot_symbol: null },
  ...{
    change_24h: '0',
    high_24h: '625',
    low_24h: '610',
    volume_24h: '42',
    reserve_base: '5000',
    reserve_quote: '3100000',
  },
  ...{ suspended: false, suspended_reason: null, suspended_at: null },
}

const OTHER: Box = {
  ...BOX,
  box_id: 'a2'.repeat(16),
  day: '2030-01-08',
  draw: 1,
  reward: [
    { asset: 'USDT', amount: '1.000000000000000001' },
    { asset: 'BNB', amount: '0.5' },
  ],
}

async function text(path: string, boxes: readonly Box[], status: BoxStatus = CLICKED_STATUS): Promise<string> {
  const html = await renderScreen(path, {
    user: {},
    responses: [
      responseTo('boxes', { status: 0, limit: 60 }, { items: [...boxes], next_cursor: null }),
      responseTo('boxStatus', {}, status),
      pageOf('boxes', {}, boxes),
      responseTo('pairs', {}, [PAIR]),
    ],
  })
  return html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}

test.each([
  [
    '/en/node/claim',
    ['Claim rewards', 'Claim details', 'Rewards from 2 boxes ≈ 316.16 USDT 6 .169 USDT 0.5 BNB', 'Claim all'],
  ],
  ['/node/claim', ['領取獎勵', '領取明細', '2 個盲盒的獎勵 ≈ 316.16 USDT 6 .169 USDT 0.5 BNB', '領取全部']],
])('%s offers every reward and its details', { tags: ['§2.67'] }, async (path, words) => {
  const shown = await text(path, [BOX, OTHER])
  for (const each of words) expect(shown).toContain(each)
  // In the choice and in the details: a box of one asset has its amount, another one its value.
  expect(shown.match(/5 \.169 USDT|≈ 311\.00 USDT/g)).toEqual(Array(2).fill(['5 .169 USDT', '≈ 311.00 USDT']).flat())
})

test.each([
  [[BOX, OTHER], true],
  [[OTHER], false],
])('a sum of several rows says that the rows are cut', async (boxes, isSaid) => {
  const note = 'Rewards from 2 boxes ≈ 316.16 USDT 6 .169 USDT 0.5 BNB Each row is cut to two decimals'
  expect((await text('/en/node/claim', boxes)).includes(note)).toBe(isSaid)
})

test('the confirmation says in words what moves, for the chosen boxes only', { tags: ['§2.67'] }, async () => {
  const all = await text('/en/node/confirmation', [BOX, OTHER])
  expect(all).toContain('You receive ≈ 316.16 USDT +6 .169619 USDT +0.5 BNB')
  expect(all).toContain(
    'You claim the rewards of 2 boxes. They add 6.169619 USDT and 0.5 BNB to your available balance',
  )
  const one = await text(`/en/node/confirmation?boxes=${OTHER.box_id}`, [BOX, OTHER])
  expect(one).toContain('You claim the reward of 1 box. It adds 1 USDT and 0.5 BNB to your available balance')
  expect(await text(`/en/node/confirmation?boxes=${'b9'.repeat(16)}`, [BOX])).toContain('Nothing to claim')
})

test.each(['/en/node/claim', '/en/node/confirmation'])(
  '%s names the next opening while claims are closed',
  { tags: ['§9.46'] },
  async (path) => {
    const shown = await text(path, [BOX], { ...CLICKED_STATUS, claims_open_at: '2030-01-11T04:00:00.000Z' })
    expect(shown).toContain('Not open now')
    expect(shown).toContain('Next opening: 11 Jan 2030')
    expect(shown).not.toContain('Claim all')
  },
)

test('without a reward the claim screen says when one comes', async () => {
  expect(await text('/en/node/claim', [])).toContain('A reward appears here once that day’s pool is shared')
})

test('a confirmation without a reward leads to the box', async () => {
  const responses = [responseTo('boxes', { status: 0, limit: 60 }, { items: [], next_cursor: null })]
  const html = await renderScreen('/en/node/confirmation', { user: {}, responses })
  expect(/<main.*<\/main>/s.exec(html)?.[0]).toContain('href="/en/node/blindBox"')
})

test('a visitor is asked to sign in', async () => {
  expect(await renderScreen('/en/node/claim')).toContain('Connect your wallet to see your rewards')
  expect(await renderScreen('/en/node/confirmation')).toContain('Connect your wallet to see your rewards')
})

test('rewards are summed to the unit, asset by asset', () => {
  expect(rewardSum([BOX, OTHER])).toEqual([
    { asset: 'USDT', amount: '6.169619463505926388' },
    { asset: 'BNB', amount: '0.5' },
  ])
})

test('hidden amounts stay hidden where a claim has arrived', () => {
  const shown = () =>
    textOf(
      renderToStaticMarkup(
        <QueryClientProvider client={queryClient}>
          <ClaimedAmounts amounts={[{ asset: 'USDT', amount: '1.5' }]} />
        </QueryClientProvider>,
      ),
    )
  expect(shown()).toContain('1.5 USDT')
  hiddenAmountsStore.set(true)
  expect(shown()).toContain('•••••• USDT')
  expect(shown()).not.toContain('1.5')
  hiddenAmountsStore.set(undefined)
})

test.each([
  [[BOX], false],
  [[], true],
] as const)('with %j to choose from, the details are open: %s', async (claimable, isOpen) => {
  const html = await renderScreen('/en/node/claim', {
    user: {},
    responses: [
      responseTo('boxes', { status: 0, limit: 60 }, { items: [...claimable], next_cursor: null }),
      responseTo('boxStatus', {}, CLICKED_STATUS),
      pageOf('boxes', {}, [BOX]),
      responseTo('pairs', {}, [PAIR]),
    ],
  })
  expect(/<details([^>]*)>/.exec(html)?.[1]?.includes('open=""')).toBe(isOpen)
})
