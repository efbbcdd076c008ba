import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, expect, test } from 'vitest'
import { renderScreen } from '../../testing/render-screen.tsx'
import { activationText } from './activation-benefits.ts'

const NOW = ['session', 'activation', 'swap', 'market', 'wallet']
const ALL = [...NOW, 'stake', 'liquidation', 'blind-box', 'team', 'rich']

afterEach(() => showLocale('zh-HK'))

test.each([
  ['/en/swap/activate', 'With activation, you can', 'Upcoming', 'Swap tokens', 'Pledge and borrow'],
  ['/swap/activate', '啟用後可以', '計劃中', '閃兌代幣', '質押及借貸'],
])('%s separates open benefits from planned ones', async (path, gives, upcoming, swap, pledge) => {
  const order = (html: string) => [gives, swap, upcoming, pledge].map((text) => html.indexOf(text))
  const today = order(await renderScreen(path, { config: { features: NOW } }))
  expect(today).toEqual(today.toSorted((a, b) => a - b))
  expect(today[0]).toBeGreaterThan(0)
  const later = await renderScreen(path, { config: { features: ALL } })
  expect(later).toContain(pledge)
  expect(later).not.toContain(upcoming)
  const closed = await renderScreen(path, { config: { features: ['session', 'activation'] } })
  expect(closed).toContain(swap)
  expect(closed).not.toContain(gives)
})

test.each([
  ['/en/swap/activate', 'You can now swap.', 'You can now swap, pledge, borrow and open blind boxes.', 'You can now'],
  ['/swap/activate', '現在可以閃兌。', '現在可以閃兌、質押、借貸及開啟盲盒。', '現在可以'],
])('%s of an activated account names open features only', async (path, today, all, none) => {
  const render = (features: string[]) => renderScreen(path, { user: { activated: true }, config: { features } })
  expect(await render(NOW)).toContain(today)
  expect(await render(ALL)).toContain(all)
  expect(await render([])).not.toContain(none)
})

test.each([
  [
    'en',
    'once to swap:',
    'once to swap, pledge, borrow and open blind boxes:',
    'You can browse now. The one-time activation fee is',
  ],
  ['zh-HK', '即可閃兌，', '即可閃兌、質押、借貸及開啟盲盒，', '你現可瀏覽所有內容，一次性啟用費用為'],
] as const)('the activation card in %s names open features only', (locale, today, all, none) => {
  showLocale(locale)
  expect(activationText(NOW)).toContain(today)
  expect(activationText(ALL)).toContain(all)
  expect(activationText([])).toBe(none)
})
