import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, onTestFinished, test } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { testConfig } from '../../testing/config.ts'
import { walletStore } from '../../wallet/wallet-store.ts'
import { ToMyWallet, ToVault } from './receive-sheet.tsx'

const MINE = '0xAaAA000000000000000000000000000000000001'
const config = testConfig()

function render(element: ReactElement): string {
  showLocale('en')
  walletStore.set({ status: 'connected', address: MINE, chainId: config.chain.id })
  onTestFinished(() => walletStore.set({ status: 'disconnected' }))
  return renderToStaticMarkup(<QueryClientProvider client={queryClient}>{element}</QueryClientProvider>)
}

test('the vault’s address appears only after the user confirms its limits', () => {
  const html = render(<ToVault config={config} />)
  expect(html).not.toContain(config.vault)
  expect(html).toContain('type="checkbox"')
  expect(html).toContain('Send only from 0xAaAA…0001.')
})

test('money from elsewhere goes to the own wallet, never to the vault', () => {
  const html = render(<ToMyWallet config={config} />)
  expect(html).toContain(MINE)
  expect(html).not.toContain(config.vault)
  expect(html).toContain(`only on ${config.chain.name}`)
})
