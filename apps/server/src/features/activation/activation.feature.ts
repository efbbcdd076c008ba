import { activationRoutes } from '@clearwell/api/activation.routes'
import { configUnits } from '../../config/fields.ts'
import { acceptedTerms } from '../../domain/members/accepted-terms.ts'
import { members } from '../../domain/members/members.ts'
import { activations, lastNumbers } from '../../domain/members/memberships.ts'
import { depositPurposes } from '../../platform/custody/credit-deposit.ts'
import { defineFeature } from '../../platform/feature.ts'
import { depositOrders } from '../../platform/ledger/deposit-orders.ts'
import { bothRuled, mapRuled } from '../../platform/rules/ruled.ts'
import { activationPurpose } from './activate.ts'
import { activationConfig } from './activation.config.ts'
import { activationHandlers } from './activation.handlers.ts'
import { createActivationStore } from './activation.store.ts'
import { activationOpening, activationPrice } from './activation-rules.ts'

export const activationFeature = defineFeature({
  name: 'activation',
  about: { en: 'Activate an account, by wallet or by balance', 'zh-HK': '以錢包或餘額啟用帳戶' },
  routes: activationRoutes,
  config: activationConfig,
  rules: [activationPrice, activationOpening],
  tables: [members, activations, lastNumbers, acceptedTerms],
  timeline: [
    { kind: 'sign-up', table: members, account: 'id', at: 'activated_at', what: `'activated'` },
    {
      ...{ kind: 'sign-up', table: acceptedTerms, account: 'user_id', at: 'accepted_at' },
      ...{ what: `'accepted the terms'`, detail: 'version' },
    },
  ],
  keeps: [
    {
      table: depositOrders,
      while: `select from members where members.id = deposit_orders.user_id and activation_order_id = deposit_orders.id`,
    },
  ],
  logKinds: ['activation'],
  open({ config, db, writer, clock, desk, rules: ruled }) {
    const { asset } = config.activation
    const { ttlMs: orderTtlMs } = config.orders
    const terms = config.operator.terms?.version ?? null
    const values = bothRuled(ruled.of(activationPrice), ruled.of(activationOpening))
    const rules = mapRuled(values, ([amount, opening]) => ({
      price: { asset, units: configUnits(amount, asset) },
      opening,
      orderTtlMs,
      terms,
    }))
    return {
      handlers: activationHandlers({ store: createActivationStore(db), writer, clock, rules, desk }),
      outcomes: { activeByBalance: { kind: 'activate_by_balance' } },
      provides: [depositPurposes.by(activationPurpose(rules.first))],
    }
  },
})
