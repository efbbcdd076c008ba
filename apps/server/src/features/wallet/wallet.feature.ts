import { walletRoutes } from '@clearwell/api/wallet.routes'
import { pledgeMoments } from '../../domain/lending/pledge-moment.ts'
import { findNewestRoot, type HeaderMaking, headerMaking } from '../../domain/proofs/signed-roots.ts'
import { type WithdrawalOrders, withdrawals } from '../../platform/custody/withdrawals.ts'
import { defineFeature } from '../../platform/feature.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import type { Platform } from '../../platform/platform.ts'
import { bothRuled, mapRuled } from '../../platform/rules/ruled.ts'
import { CAP_RULES, lowerCaps } from '../../platform/signer/cap-rules.ts'
import { withdrawalRules } from './complete-withdrawal.ts'
import { createExpiry } from './expire-due.ts'
import { findLock } from './find-lock.ts'
import { findLostVouchers } from './lost-vouchers.ts'
import { rewindWatcher } from './rewind-watcher.ts'
import { settlePayouts } from './settle-payout.ts'
import { type RootSettling, settleUnderRoots } from './settle-under-roots.ts'
import { resumeWithdrawals, type SettleDependencies, signAgain } from './settle-withdrawal.ts'
import { TRANSFER_RULES, type TransferAsset } from './transfer-rules.ts'
import { hasExits, transferAssets, voucherOf } from './voucher.ts'
import { transferLimits, walletConfig } from './wallet.config.ts'
import { walletHandlers } from './wallet.handlers.ts'
import { collectWallet, walletMetrics } from './wallet.metrics.ts'
import { createWalletStore, type WalletStore } from './wallet.store.ts'
import { WALLET_TIMELINE } from './wallet.timeline.ts'
import { withdrawTreasury } from './withdraw-treasury.ts'
import { sellOutcome, withdrawalHandlers } from './withdrawal.handlers.ts'
import { orderIdOf, type WithdrawalRow, withdrawalOrders } from './withdrawal-orders.ts'

export const walletFeature = defineFeature({
  name: 'wallet',
  about: { en: 'Transfer in and out, custody in a vault contract', 'zh-HK': '轉入及轉出，款項存於保管庫合約' },
  routes: walletRoutes,
  config: walletConfig,
  rules: [...Object.values(TRANSFER_RULES), ...Object.values(CAP_RULES)],
  tables: [withdrawalOrders],
  timeline: WALLET_TIMELINE,
  metrics: walletMetrics,
  logKinds: [
    'deposit',
    'operator_deposit',
    'withdrawal_lock',
    'withdrawal',
    'withdrawal_release',
    'deposit_reversal',
    'withdrawal_reversal',
    'payout_settlement',
  ],
  notices: ['payout_settled'],
  operatorActions: [withdrawTreasury, rewindWatcher, settlePayouts],
  open({ config, use, db, writer, clock, chain, custody, signer, desk, prices, metrics, rules, local, onError }) {
    const moments = use(pledgeMoments)
    const headers = use(headerMaking)
    const store = createWalletStore(db)
    collectWallet(metrics, { store, clock })
    const limitsOf = (asset: TransferAsset) =>
      mapRuled(bothRuled(rules.of(TRANSFER_RULES[asset]), rules.of(CAP_RULES[asset])), ([values, caps]) =>
        transferLimits(asset, values, lowerCaps(config.withdrawals.caps[asset], caps)),
      )
    const limits = Object.fromEntries(transferAssets(custody).map((asset) => [asset, limitsOf(asset)]))
    const { settling, waiting } = openSettling({ db, store, writer, signer, clock, custody, headers, local, onError })
    const withdrawing = {
      ...settling,
      custody,
      limits,
      voucherTtlMs: config.withdrawals.voucherTtlMs,
      required: desk.required,
      unconfirmedOf: desk.unconfirmedOf,
      findNewestRoot: () => findNewestRoot(db),
      hurryRoot: waiting?.hurry,
    }
    const signAgainEachMinute = defineJob({
      name: 'wallet.sign-again',
      recurs: { everyMs: 60_000 },
      act: () => signAgain(settling, clock.now(), onError),
      step: async () => 'done',
    })
    return {
      handlers: {
        ...walletHandlers({
          store,
          writer,
          clock,
          desk,
          limits,
          orderTtlMs: config.orders.ttlMs,
          pledgeMoment: () => moments().now(),
          priceUsdtE18: prices.priceUsdtE18,
        }),
        ...withdrawalHandlers(withdrawing),
      },
      outcomes: {
        sell: {
          kind: 'order_withdrawal',
          read: (stored: { orderId: string }) => sellOutcome(withdrawing, stored),
        },
      },
      provides: [withdrawals.by(ordersOf({ db, chain, writer, store, signer, custody, onError }))],
      jobs: [signAgainEachMinute],
      start: () => waiting?.start(),
      stop: () => waiting?.stop(),
      async afterOperatorAction() {
        waiting?.hurry()
        await resumeWithdrawals(settling, onError)
      },
      async onLeader() {
        waiting?.hurry()
        await resumeWithdrawals(settling, onError)
        await signAgain(settling, clock.now(), onError)
      },
    }
  },
})

/** Opens what signs the orders. With exits, orders wait for a root. */
function openSettling(
  deps: Pick<Platform, 'db' | 'writer' | 'signer' | 'clock' | 'custody' | 'local' | 'onError'> & {
    readonly store: WalletStore
    readonly headers: () => HeaderMaking
  },
): { readonly settling: SettleDependencies; readonly waiting: RootSettling | undefined } {
  const { db, store, writer, signer, clock, custody, headers, local, onError } = deps
  const base = { store, writer, signer, clock, custody }
  if (!hasExits(custody)) return { settling: base, waiting: undefined }
  const settling = { ...base, findLock: (order: WithdrawalRow) => findLock(db, order) }
  return { settling, waiting: settleUnderRoots({ ...settling, headers, local: local?.chain, onError }) }
}

/** The orders behind the vault's payments. */
function ordersOf({
  db,
  chain,
  writer,
  store,
  signer,
  custody,
  onError,
}: Pick<Platform, 'db' | 'chain' | 'writer' | 'signer' | 'custody' | 'onError'> & {
  readonly store: WalletStore
}): WithdrawalOrders {
  return {
    rules: withdrawalRules,
    expireDue: createExpiry({
      chain,
      writer,
      store,
      expireVouchers: (orders, at) =>
        signer.expireVouchers(
          orders.map((order) => voucherOf(custody, order)),
          at,
        ),
      onError,
    }),
    orderIdOf,
    findLost: (nonces) => findLostVouchers(db, nonces),
  }
}
