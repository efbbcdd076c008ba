import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { expect, onTestFinished, test } from 'vitest'
import { textOf } from '../testing/facts.ts'
import { renderScreen } from '../testing/render-screen.tsx'
import { TABS, tabOf } from './navigation.ts'
import { screens } from './screens.ts'

/** The tab that is lit on each screen. */
const LIT = {
  Home: ['/', '/language', '/markets/{name}', '/profile/data', '/trust', '/trust/changes', '/white'],
  Swap: ['/swap/activate', '/swap/exchange', '/swap/plans', '/swap/plans/limit', '/swap/plans/schedule'],
  Stake: [
    '/stake',
    '/stake/lend',
    '/stake/lend/add',
    '/stake/lend/confirm',
    '/stake/lend/orders',
    '/stake/lend/result',
    '/stake/liquidate',
    '/stake/pledge',
    '/stake/pledge/confirm',
    '/stake/pledge/result',
    '/stake/receipt',
  ],
  Node: [
    '/node',
    '/node/aboutUs',
    '/node/blindBox',
    '/node/claim',
    '/node/confirmation',
    '/node/income',
    '/ranks',
    '/referral',
    '/rich',
    '/rich/pledge',
    '/team',
  ],
  Wallet: [
    '/transaction',
    '/wallet',
    '/wallet/activity',
    '/wallet/asset',
    '/wallet/buy',
    '/wallet/buyOrder',
    '/wallet/confirmation',
    '/wallet/exit',
    '/wallet/header',
    '/wallet/logs',
    '/wallet/sell',
    '/wallet/sellOrder',
    '/wallet/sendTransaction',
    '/wallet/summary',
  ],
}

test('every screen has a tab', () => {
  expect(Object.values(LIT).flat().toSorted()).toEqual(Object.keys(screens).toSorted())
})

test.each(Object.entries(LIT))('%s has each of its screens, in both languages', (tab, paths) => {
  onTestFinished(() => showLocale('zh-HK'))
  showLocale('en')
  for (const path of paths)
    expect([path, TABS[tabOf(path)]?.label(), TABS[tabOf(`/en${path}`)]?.label()]).toEqual([path, tab, tab])
})

test.each([
  ['/en', ['Home']],
  ['/en/swap/plans/limit', ['Swap']],
  ['/en/team', ['Node']],
  ['/transaction', ['錢包']],
  ['/en/nowhere', ['Home']],
])('on %s exactly the tabs %j are lit', async (path, lit) => {
  const html = await renderScreen(path)
  const tabs = /<nav[^>]*bottom-edge[^>]*>.*?<\/nav>/s.exec(html)?.[0] ?? ''
  const shown = [...tabs.matchAll(/<a [^>]*aria-current="page"[^>]*>(.*?)<\/a>/gs)]
  expect(tabs).not.toBe('')
  expect(shown.map(([, words = '']) => textOf(words).trim())).toEqual(lit)
})
