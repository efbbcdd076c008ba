import { sessionRoutes } from '@clearwell/api/session.routes'
import { departedMembers, users } from '../../domain/members/users.ts'
import { defineFeature } from '../../platform/feature.ts'
import { deleteEmptyAccounts } from './delete-empty-accounts.ts'
import { createEmptyAccounts } from './empty-accounts.store.ts'
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
  operatorActions: [revokeSessions],
  open: ({ config, db, tables, clock, client, sessions, publicUrl }) => ({
    handlers: sessionHandlers({
      store: createUserStore(db),
      nonces: createNonceStore(db),
      sessions,
      clock,
      findSigned: findSignedOnChain({ client, budget: createNodeBudget(config.session.nodeCallsPerMinute) }),
      chainId: config.chain.id,
      publicUrl,
      productName: config.product.en,
      nonceTtlMs: config.session.nonceTtlMs,
    }),
    afterOperatorAction: () => endRevokedSessions(db, clock.now()),
    onLeader: () => endRevokedSessions(db, clock.now()),
    jobs: [
      forgetNonces,
      deleteEmptyAccounts({
        accounts: createEmptyAccounts(tables),
        emptyAccountsDays: config.retention.emptyAccountsDays,
        idleTtlMs: config.session.idleTtlMs,
      }),
    ],
  }),
})
