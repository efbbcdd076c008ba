import { walletRoutes } from '@clearwell/api/wallet.routes'
import { defineFeature } from '../../platform/feature.ts'
import { withdrawalRules } from './complete-withdrawal.ts'
import { createExpiry } from './expire-due.ts'
import { resumeWithdrawals } from './settle-withdrawal.ts'
import { voucherOf } from './voucher.ts'
import { transferLimits, walletConfig } from './wallet.config.ts'
import { walletHandlers } from './wallet.handlers.ts'
import { createWalletStore } from './wallet.store.ts'
import { withdrawalHandlers } from './withdrawal.handlers.ts'
import { orderIdOf } from './withdrawal-orders.ts'

export const walletFeature = defineFeature({
  name: 'wallet',
  routes: walletRoutes,
  config: walletConfig,
  logKinds: ['deposit', 'operator_deposit', 'withdrawal_lock', 'withdrawal', 'withdrawal_release'],
  open({ config, db, writer, clock, chain, custody, signer, desk, voucherProgressOf, prices, onError }) {
    const store = createWalletStore(db)
    const limits = transferLimits(config)
    return {
      handlers: {
        ...walletHandlers({
          store,
          writer,
          clock,
          desk,
          limits,
          orderTtlMs: config.orders.ttlMs,
          priceUsdtE18: prices.priceUsdtE18,
        }),
        ...withdrawalHandlers({
          store,
          writer,
          signer,
          custody,
          clock,
          limits,
          voucherTtlMs: config.withdrawals.voucherTtlMs,
          required: desk.required,
          progressOf: voucherProgressOf,
        }),
      },
      withdrawals: {
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
      },
      onLeader: () => resumeWithdrawals({ store, writer, signer, custody }, onError),
    }
  },
})
