import { activationRoutes } from '@clearwell/api/activation.routes'
import { configUnits } from '../../config/fields.ts'
import { members } from '../../domain/members/members.ts'
import { activations, lastNumbers } from '../../domain/members/memberships.ts'
import { depositPurposes } from '../../platform/custody/credit-deposit.ts'
import { defineFeature } from '../../platform/feature.ts'
import { depositOrders } from '../../platform/ledger/deposit-orders.ts'
import { activationPurpose } from './activate.ts'
import { activationConfig } from './activation.config.ts'
import { activationHandlers } from './activation.handlers.ts'
import { createActivationStore } from './activation.store.ts'

export const activationFeature = defineFeature({
  name: 'activation',
  about: { en: 'Activate an account, by wallet or by balance', 'zh-HK': '以錢包或餘額啟用帳戶' },
  routes: activationRoutes,
  config: activationConfig,
  tables: [members, activations, lastNumbers],
  keeps: [
    {
      table: depositOrders,
      while: `select from members where members.id = deposit_orders.user_id and activation_order_id = deposit_orders.id`,
    },
  ],
  logKinds: ['activation'],
  open({ config, db, writer, clock, desk }) {
    const { asset, amount, opening } = config.activation
    const rules = { price: { asset, units: configUnits(amount, asset) }, opening, orderTtlMs: config.orders.ttlMs }
    return {
      handlers: activationHandlers({ store: createActivationStore(db), writer, clock, rules, desk }),
      outcomes: { activeByBalance: { kind: 'activate_by_balance' } },
      provides: [depositPurposes.by(activationPurpose(rules))],
    }
  },
})
