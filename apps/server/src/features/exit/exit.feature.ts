import { exitRoutes } from '@clearwell/api/exit.routes'
import { amountOf } from '@clearwell/money/amount'
import { plannedSwaps } from '../../domain/pools/planned-swaps.ts'
import { ownLeaves } from '../../domain/proofs/own-leaves-port.ts'
import { postedRoots } from '../../domain/proofs/posted-roots.ts'
import { proofTokens } from '../../domain/proofs/proof-tokens.ts'
import { headerMaking } from '../../domain/proofs/signed-roots.ts'
import { readExitAt } from '../../platform/chain/exit-vault.ts'
import { readHoldings } from '../../platform/chain/read-holdings.ts'
import { cursorFollowers } from '../../platform/custody/cursor-followers.ts'
import { defineFeature } from '../../platform/feature.ts'
import type { Handler } from '../../platform/http/request-context.ts'
import { defineDrain } from '../../platform/jobs/drain.ts'
import { readOpenExit } from '../../platform/ledger/leaving-accounts.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import type { Platform } from '../../platform/platform.ts'
import { canaryHandler } from './canary.handlers.ts'
import { watchCanary } from './canary-watch.ts'
import { describeExit, vaultOf } from './describe-exit.ts'
import { canaryOf, exitConfig, publishExits } from './exit.config.ts'
import { exitEvents } from './exit.events.ts'
import { exitMetrics } from './exit.metrics.ts'
import { createExitStore } from './exit.store.ts'
import { rootTransactions } from './exit.tables.ts'
import { EXIT_TIMELINE } from './exit.timeline.ts'
import { exitAdvances } from './exit-advances.ts'
import { createExitFollower } from './exit-follower.ts'
import { findClaims } from './find-claims.ts'
import { postRoots, type RootPosting } from './post-roots.ts'
import { readCoverPrices } from './read-cover-prices.ts'
import { createReminder } from './remind.ts'
import { watchTip } from './watch-tip.ts'

/** An account is locked within seconds of its request. */
const EVERY_MS = 1_000
/** Payments that the owner sees. */
const MOST_PAID = 20

/** Leaving without the operator. Without a vault with exits it does nothing. */
export const exitFeature = defineFeature({
  name: 'exit',
  about: {
    en: 'Roots on the chain and exits, for a vault with exits',
    'zh-HK': '鏈上根紀錄及退出跟進，適用於可自主退出的保管庫',
  },
  routes: exitRoutes,
  config: exitConfig,
  publishes: publishExits,
  tables: [rootTransactions, postedRoots, exitAdvances],
  timeline: EXIT_TIMELINE,
  logKinds: ['exit', 'exit_reversal', 'exit_advance', 'exit_advance_return'],
  metrics: exitMetrics,
  events: exitEvents,
  open(platform) {
    const recorder = platform.metrics.add(exitMetrics)
    const hasExits = platform.config.env.vaultKind === 'exits'
    const handlers = {
      proofExit: exitHandler(platform, hasExits),
      proofClaims: claimsHandler(platform, hasExits),
      proofCanary: canaryHandler(platform),
    }
    if (!hasExits) return { handlers }
    const { follower, tip } = followExits(platform)
    const headers = platform.use(headerMaking)
    const posting = postRoots(platform, recorder)
    const watch = defineDrain({ name: 'exit.watch-tip', everyMs: EVERY_MS, drain: tip.look })
    return {
      handlers,
      provides: [cursorFollowers.by(follower)],
      jobs: [watch, posting.drain, ...watchCanary(platform, recorder)],
      start() {
        headers().holdWhile(tip.holdsHeaders)
        headers().onRenewed(() => renewRoot(platform, posting))
      },
      onLeader: async () => tip.forget(),
    }
  },
})

/** Has the newest header posted, confirmed and booked after the clock of the local profile was moved. */
async function renewRoot(
  { local, writer, readPayments }: Pick<Platform, 'local' | 'writer' | 'readPayments'>,
  { post }: Pick<RootPosting, 'post'>,
): Promise<void> {
  if (!local || !writer.isWriting) return
  if ((await post()) !== 'posted_root') return
  await local.chain.confirm()
  await readPayments()
}

/** Returns the user's own exit. Without a vault with exits there is none to find. */
function exitHandler(
  { db, clock, custody }: Pick<Platform, 'db' | 'clock' | 'custody'>,
  hasExits: boolean,
): Handler<'proofExit'> {
  const vault = custody.vault.toLowerCase()
  const store = createExitStore(db)
  return async (_, { user }) => {
    if (!hasExits) throw refusal('not_found')
    const row = await readOpenExit(db, user.id)
    const [payments, advances] = [await store.paymentsOf(user.id, MOST_PAID), await store.advancesOf(user.id)]
    return describeExit(row, { payments, advances, now: clock.now(), vault })
  }
}

/** Returns what the vault pays the user, once the exit is ready. */
function claimsHandler(platform: Platform, hasExits: boolean): Handler<'proofClaims'> {
  const { db, clock } = platform
  const vault = platform.custody.vault.toLowerCase()
  const find = openClaims(platform)
  return async (_, { user }) => {
    const row = hasExits ? await readOpenExit(db, user.id) : undefined
    if (!row || describeExit(row, { payments: [], advances: [], now: clock.now(), vault }).state !== 'ready')
      throw refusal('not_found')
    const claims = await find({ account: user.id, exitAt: row.exit_at, vault: vaultOf(row, vault) })
    if (!claims) throw refusal('not_found')
    return claims
  }
}

function openClaims({ db, custody, use }: Platform) {
  const [tokens, leaves] = [proofTokens(custody), use(ownLeaves)]
  return (of: Parameters<typeof findClaims>[1]) => findClaims({ db, tokens, leaves: leaves() }, of)
}

function followExits(platform: Platform & { readonly config: Parameters<typeof canaryOf>[0] }) {
  const { chain, config, client, clock, custody, db, moneyPrices, onError, use } = platform
  const vault = custody.vault.toLowerCase()
  const store = createExitStore(db, vault)
  const find = openClaims(platform)
  return {
    follower: createExitFollower({ chain, custody, store, canary: canaryOf(config) }),
    tip: watchTip({
      ...platform,
      store,
      plans: use(plannedSwaps),
      exitAt: (of) => readExitAt(client, custody.vault, of),
      isEmpty: async (vault, block) =>
        (await readHoldings(client, { chainId: chain.id, custody, vault }, block)).every(({ units }) => units === 0n),
      claimsOf: async (of) => {
        const found = await find({ ...of, vault })
        return found?.claims.map(({ asset, amount }) => amountOf(amount, asset))
      },
      coverPrices: () => readCoverPrices(moneyPrices),
      remind: createReminder(clock, onError, 'withdrawals'),
    }),
  }
}
