import { loadParts, type PartLoaders } from '../../manifest/parts.ts'
import type { Screens } from '../../manifest/screens.ts'
import { together } from '../../manifest/together.ts'
import type { ShownAsset } from './asset-screen.tsx'
import type { ShownTransfer } from './send-transaction-screen.tsx'
import type { TransferDraft } from './transfer-draft.ts'

export const walletScreens = {
  '/wallet': {
    title: 'nav_my_wallet',
    menu: { group: 'money', place: 2, icon: 'wallet' },
    load: () =>
      together(
        import('./wallet-screen.tsx'),
        loadParts('activationBanner', 'balanceCheck', 'owedAdvance', 'records', 'walletValue'),
      ),
    hasContent: true,
  },
  '/wallet/asset': {
    title: 'title_wallet_asset',
    search: {} as ShownAsset,
    load: () => together(import('./asset-screen.tsx'), loadParts('assetActivity', 'owedAdvance')),
  },
  '/wallet/buy': {
    title: 'title_wallet_buy',
    search: {} as TransferDraft,
    load: () => import('./transfer-in-screen.tsx'),
    hasContent: true,
  },
  '/wallet/buyOrder': {
    title: 'title_wallet_buy_order',
    load: () => together(import('./transfers-in-screen.tsx'), loadParts('activityViews')),
    hasContent: true,
  },
  '/wallet/confirmation': {
    title: 'title_wallet_confirmation',
    search: {} as TransferDraft,
    load: () => import('./confirmation-screen.tsx'),
    hasContent: true,
  },
  '/wallet/sell': {
    title: 'title_wallet_sell',
    search: {} as TransferDraft,
    load: () => import('./transfer-out-screen.tsx'),
    hasContent: true,
  },
  '/wallet/sellOrder': {
    title: 'title_wallet_sell_order',
    load: () => together(import('./transfers-out-screen.tsx'), loadParts('activityViews')),
    hasContent: true,
  },
  '/wallet/sendTransaction': {
    title: 'title_wallet_send_transaction',
    search: {} as ShownTransfer,
    load: () => import('./send-transaction-screen.tsx'),
    hasContent: true,
  },
} as const satisfies Screens

export const walletParts = {
  pendingTransfers: () => import('./pending-transfers.tsx'),
} satisfies Partial<PartLoaders>
