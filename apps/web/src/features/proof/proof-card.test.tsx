import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import type { Reserves } from './proof.queries.ts'
import { RESERVES } from './proof.samples.ts'
import ProofCard from './proof-card.tsx'

afterEach(() => queryClient.clear())

function textWith(changes: Partial<Reserves>): string {
  showLocale('en')
  queryClient.setQueryData(['proofReserves', {}], { ...RESERVES, ...changes })
  const html = renderToString(
    <QueryClientProvider client={queryClient}>
      <ProofCard />
    </QueryClientProvider>,
  )
  return html.replaceAll('<!-- -->', '').replaceAll(/<[^>]+>/g, ' ')
}

test('the proof card names holding, debt, block and age', () => {
  const text = textWith({})
  expect(text).toContain('Vault holds 3,137,861.98 USDT')
  expect(text).toContain('Ledger owes 3,137,861.98 · block 1,234 · 12 sec ago')
})

test('the proof card names what is missing, to the last unit', () => {
  const assets = [
    { asset: 'BNB', vault: '4', owed: '4.000000000000000001', difference: '-0.000000000000000001' },
  ] as const
  expect(textWith({ assets: [...assets], healthy: false, fault: 'missing' })).toContain(
    '0.000000000000000001 BNB is missing from the vault.',
  )
  expect(textWith({ assets: [], healthy: false, fault: 'ledger' })).toContain('The ledger’s entries don’t add up.')
})

test('the proof card says when a comparison is old or absent', () => {
  expect(textWith({ healthy: null, age_seconds: 720 })).toContain('Last compared 12 min ago.')
  const unchecked = textWith({ assets: [], block_number: null, age_seconds: null, healthy: null })
  expect(unchecked).toContain('haven’t been compared yet')
  expect(unchecked).not.toContain('Check it in your browser')
})
