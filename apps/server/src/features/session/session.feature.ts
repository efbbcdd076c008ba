import { sessionRoutes } from '@clearwell/api/session.routes'
import { departedMembers, users } from '../../domain/members/users.ts'
import { plannedSwaps } from '../../domain/pools/planned-swaps.ts'
import { defineFeature } from '../../platform/feature.ts'
import { deleteEmptyAccounts } from './delete-empty-accounts.ts'
import { createEmptyAccounts } from './empty-accounts.store.ts'
import { endFrozenPlans, freezeAccount, unfreezeAccount } from './freeze-account.ts'
import { forgetNonces } from './issue-nonce.ts'
import { createNodeBudget } from './node-budget.ts'
import { createNonceStore, loginNonces } from './nonce.store.ts'
import { endRevokedSessions, revokeSessions } from './revoke-sessions.ts'
import { sessionHandlers } from './session.handlers.ts'
import { createUserStore } from './user.store.ts'
import { findSignedOnChain } from './verify-signature.ts'

export const sessionFeature = defineFeature({
  name: 'session',
  about: { en: 'Sign in with a wallet signature', 'zh-HK': '以錢包簽署登入' },
  routes: sessionRoutes,
  tables: [users, departedMembers, loginNonces],
  timeline: [
    {
      ...{ kind: 'sign-up', table: users, account: 'id', at: 'created_at' },
      ...{ what: `'signed up'`, detail: `'invited by ' || parent_id` },
    },
  ],
  notices: ['account_frozen', 'account_unfrozen', 'sessions_revoked'],
  operatorActions: [revokeSessions, freezeAccount, unfreezeAccount],
  open({ config, use, db, tables, clock, client, custody, sessions, publicUrl }) {
    const plans = use(plannedSwaps)
    async function applyActions(): Promise<void> {
      const now = clock.now()
      await endRevokedSessions(db, now)
      await endFrozenPlans(db, now, plans().endAll)
    }
    return {
      handlers: sessionHandlers({
        store: createUserStore(db),
        nonces: createNonceStore(db),
        sessions,
        clock,
        findSigned: findSignedOnChain({ client, budget: createNodeBudget(config.session.nodeCallsPerMinute) }),
        chainId: config.chain.id,
        publicUrl,
        productName: config.product.en,
        operator: custody.operator,
        nonceTtlMs: config.session.nonceTtlMs,
      }),
      afterOperatorAction: applyActions,
      onLeader: applyActions,
      jobs: [
        forgetNonces,
        deleteEmptyAccounts({
          accounts: createEmptyAccounts(tables),
          emptyAccountsDays: config.retention.emptyAccountsDays,
          idleTtlMs: config.session.idleTtlMs,
        }),
      ],
    }
  },
})
