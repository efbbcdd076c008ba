import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { hiddenAmountsStore, useHiddenAmounts } from '../browser/hidden-amounts.ts'
import { INTEREST_DECIMALS } from '../i18n/format.ts'
import { showLocale } from '../i18n/locale.ts'
import { AmountText } from './amount-text.tsx'
import { SheetStage } from './stage-parts.tsx'

const AMOUNT = <AmountText amount="1234.5678901" asset="USDT" />

afterEach(() => {
  hiddenAmountsStore.set(false)
  showLocale('zh-HK')
})

test('an amount shows six decimals, and all of them on a tap', () => {
  const html = renderToStaticMarkup(AMOUNT)
  expect(html.replaceAll(/<[^>]*>/g, '')).toBe('1,234.56789 USDT')
  expect(html).toContain('data-exact="1234.5678901 USDT"')
})

test.each([
  ['1234.5', 'USDT', '.5'],
  ['0.5', 'USDT', undefined],
  ['1.418131', 'BNB', undefined],
  ['1234.5', undefined, undefined],
])('the muted decimals of %s %s are %s', (amount, asset, decimals) => {
  const html = renderToStaticMarkup(<AmountText amount={amount} {...(asset === undefined ? {} : { asset })} />)
  const muted = [...html.matchAll(/<span class="text-muted">(\.[^<]*)</g)].map(([, text]) => text)
  expect(muted).toEqual(decimals === undefined ? [] : [decimals])
})

test.each([
  ['en', 'less than 0.000001'],
  ['zh-HK', '少於 0.000001'],
] as const)('a screen reader in %s hears %s', (locale, spoken) => {
  showLocale(locale)
  const amount = '0.000000000000000001'
  const html = renderToStaticMarkup(<AmountText amount={amount} asset="USDT" decimals={INTEREST_DECIMALS} />)
  expect(html).toContain('<span aria-hidden="true">&lt;0.000001</span>')
  expect(html).toContain(`<span class="sr-only">${spoken}</span>`)
  expect(html).toContain(`data-exact="${amount} USDT"`)
})

test.each([
  ['en', 'less than 0.000001'],
  ['zh-HK', '少於 0.000001'],
] as const)('an income in %s below a millionth is words without a plus', (locale, words) => {
  showLocale(locale)
  const amount = '0.000000000000000001'
  const html = renderToStaticMarkup(<AmountText amount={amount} signed decimals={INTEREST_DECIMALS} />)
  expect(html.replaceAll(/<[^>]*>/g, '')).toBe(words)
})

test('a hidden amount leaves no digit in the page', () => {
  hiddenAmountsStore.set(true)
  const html = renderToStaticMarkup(AMOUNT)
  expect(html.replaceAll(/<[^>]*>/g, '')).toBe('•••••• USDT')
  expect(html).not.toMatch(/\d/)
})

test.each([
  ['a public figure', <AmountText key="public" isPublic amount="1234.5" asset="USDT" />],
  [
    'the act that is being confirmed',
    <SheetStage key="act" name="confirm">
      <AmountText amount="1234.5" asset="USDT" />
    </SheetStage>,
  ],
])('%s shows while amounts are hidden', (_what, element) => {
  hiddenAmountsStore.set(true)
  expect(renderToStaticMarkup(element).replaceAll(/<[^>]*>/g, '')).toBe('1,234.5 USDT')
})

function Sentence({ text }: { text: string }) {
  return useHiddenAmounts().hide(text)
}

test.each([
  ['1,234.5 USDT were credited on 23 Nov', '•••••• USDT were credited on 23 Nov'],
  ['已轉入 +0.5 BNB 及 3 RT，借貸比率 66.4%', '已轉入 •••••• BNB 及 •••••• RT，借貸比率 66.4%'],
  ['Star 3 passed after 72 h', 'Star 3 passed after 72 h'],
])('the sentence %j hides only its amounts', (text, hidden) => {
  expect(renderToStaticMarkup(<Sentence text={text} />)).toBe(text)
  hiddenAmountsStore.set(true)
  expect(renderToStaticMarkup(<Sentence text={text} />)).toBe(hidden)
})
