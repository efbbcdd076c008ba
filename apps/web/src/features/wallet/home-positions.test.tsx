import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { renderPart } from '../../testing/render-part.tsx'
import type { Balance } from './asset-list.tsx'
import HomePositions from './home-positions.tsx'

afterEach(() => queryClient.clear())

const USDT: Balance = {
  asset: 'USDT',
  available: '60',
  locked: '30',
  pledged: '5',
  collateral: '5',
  total: '100',
  value_usdt: '100',
  owed: '0',
  owed_usdt: '0',
}

async function htmlWith(balances: Balance[]): Promise<string> {
  showLocale('en')
  queryClient.setQueryData(['balances', {}], balances)
  return renderPart(HomePositions)
}

test('home shows the value that is available, locked and in use', async () => {
  const texts = [...(await htmlWith([USDT])).matchAll(/<d[td][^>]*>(.*?)<\/d[td]>/g)].map(([, text]) => text)
  expect(texts).toEqual(['Available', '60.00', 'Locked', '30.00', 'In use', '10.00'])
})

test('home shows debts, so that the parts add up to the total', async () => {
  const html = await htmlWith([{ ...USDT, owed: '12.5', owed_usdt: '12.5' }])
  const texts = [...html.matchAll(/<d[td][^>]*>(.*?)<\/d[td]>/g)].map(([, text]) => text)
  expect(texts).toEqual(['Available', '60.00', 'Locked', '30.00', 'In use', '10.00', 'Debt', '−12.50'])
})

test('home shows no positions to a user who holds nothing', async () => {
  expect(await htmlWith([{ ...USDT, total: '0', value_usdt: '0' }])).toBe('')
})
