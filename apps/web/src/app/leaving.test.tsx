import { expect, test } from 'vitest'
import { queryClient } from '../api/query-client.ts'
import { STATUS } from '../features/blind-box/blind-box.samples.ts'
import type { Exit } from '../features/exit/exit.queries.ts'
import { NO_EXIT } from '../features/exit/exit.samples.ts'
import ExitBanner from '../features/exit/exit-banner.tsx'
import { MARKET } from '../features/stake/stake.samples.ts'
import { BNB_POOL } from '../features/swap/swap.samples.ts'
import { BALANCE } from '../features/wallet/wallet.samples.ts'
import { textOf } from '../testing/facts.ts'
import { renderPart } from '../testing/render-part.tsx'
import { renderScreen, responseTo } from '../testing/render-screen.tsx'
import AccountOverview from './home/account-overview.tsx'

const AT = '2030-01-08T00:00:00.000Z'
const TIMES = { requested_at: AT, base_at: AT, repay_until: AT, ready_at: AT }
const EXITS = {
  none: NO_EXIT,
  open: { ...NO_EXIT, ...TIMES, state: 'open' },
  owing: { ...NO_EXIT, owed: [{ asset: 'USDT', amount: '31' }] },
} satisfies Record<string, Exit>
const noLoans = { items: [], next_cursor: null }

function renderWith(path: string, exit: keyof typeof EXITS): Promise<string> {
  const responses = [
    responseTo('proofExit', {}, EXITS[exit]),
    responseTo('boxStatus', {}, STATUS),
    responseTo('pairs', {}, [BNB_POOL]),
    responseTo('stakeMarket', {}, MARKET),
    responseTo('stakeOrders', { status: 0, limit: 50 }, noLoans),
    responseTo('stakeOrders', { status: 2, limit: 50 }, noLoans),
  ]
  return renderScreen(path, { user: {}, config: { vault_exits: true }, responses })
}

/** The text of the screen's action, and whether its button is disabled. */
function actionIn(html: string): string {
  const action = /class="screen-action.*?<\/button>/s.exec(html)?.[0] ?? ''
  return `${/<button[^>]* disabled=""/.test(action) ? 'disabled' : 'enabled'}: ${textOf(action.slice(action.indexOf('>') + 1))}`
}

test.each([
  ['/en/swap/exchange', 'Enter an amount'],
  ['/en/wallet/sell', 'Continue'],
  ['/en/wallet/buy', 'Continue'],
  ['/en/stake/pledge', 'Continue'],
  ['/en/stake/lend', 'Continue'],
  ['/en/node/blindBox', 'Get today’s box'],
])('an exit locks the action of %s', async (path, label) => {
  expect(actionIn(await renderWith(path, 'none'))).toBe(`enabled: ${label}`)
  const locked = `disabled: Locked while your account is leaving. See the exit ${label}`
  expect(actionIn(await renderWith(path, 'open'))).toBe(locked)
})

test('the lock is written in Chinese too', async () => {
  expect(actionIn(await renderWith('/wallet/sell', 'open'))).toBe(
    'disabled: 自主退出期間，此操作已鎖定。 查看退出 繼續',
  )
})

test.each([
  ['none', 'Transfer in Transfer out Swap Activity', true],
  ['open', 'Your exit Transfer out Swap Activity', false],
] as const)('home with the exit %s offers %s', async (exit, actions, hasBox) => {
  await renderWith('/en', exit)
  const html = await renderPart(AccountOverview)
  expect(textOf(/<nav aria-label="Wallet actions".*?<\/nav>/s.exec(html)?.[0] ?? '')).toBe(actions)
  // The place of today's box, which loads later.
  expect(html.includes('min-h-23')).toBe(hasBox)
})

test.each([
  [
    '/en',
    'This account is leaving See the exit Locked: swaps, transfers, boxes, pledges and new loans. The vault pays from 8 Jan',
  ],
  ['/', '此帳戶正在自主退出 查看退出 閃兌、轉帳、盲盒、質押及新增借貸已鎖定。保管庫由 2030年1月8日'],
])('the banner of %s names the locked acts', async (path, text) => {
  await renderWith(path, 'open')
  expect(textOf(await renderPart(ExitBanner))).toContain(text)
})

test.each([
  ['/en', '5', 'Advance to give back: 31 USDT See why Your balance is locked until then.'],
  ['/en', '0', 'Advance to give back: 31 USDT See why It comes back from what you receive next.'],
  ['/', '5', '待歸還墊款：31 USDT 查看原因 還清前，你的餘額會被凍結。'],
])('the banner of %s with %s USDT names an owed advance', async (path, available, text) => {
  await renderWith(path, 'owing')
  queryClient.setQueryData(['balances', {}], [{ ...BALANCE, asset: 'USDT', available }])
  expect(textOf(await renderPart(ExitBanner))).toContain(text)
})
