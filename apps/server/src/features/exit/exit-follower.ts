import type { Context, StateKey } from '@clearwell/ledger/command'
import type { Draft } from '@clearwell/ledger/draft'
import type { AssetId } from '@clearwell/money/asset'
import { zeroAddress } from 'viem'
import { bookRoot, dropRoots, listRootKeys, postedRoots, postId } from '../../domain/proofs/posted-roots.ts'
import { type Chain, type Custody, movementId } from '../../platform/chain/chain.ts'
import type { ExitAct } from '../../platform/chain/exit-act.ts'
import type { CursorFollower } from '../../platform/custody/cursor-followers.ts'
import { HEADER_KEYS } from '../../platform/ledger/repayment-stop.ts'
import { bookPayment, type ExitPayment, listPaymentKeys } from './book-payment.ts'
import type { ExitStore } from './exit.store.ts'
import { type ExitChange, listChangeKeys, passChanges } from './follow-exits.ts'

/** Books exits with the watcher's cursor: their requests, cancels and payments, and the roots that decide them. */
export function createExitFollower({
  chain,
  custody,
  store,
  canary,
}: {
  readonly chain: Pick<Chain, 'id' | 'exitActs'>
  readonly custody: Pick<Custody, 'tokens'>
  readonly store: Pick<ExitStore, 'known' | 'ownHeaders'>
  /** Followed even if it never signed in to a server, in lower case. */
  readonly canary?: string | undefined
}): CursorFollower {
  return {
    async read(range) {
      const acts = (await chain.exitActs?.(range)) ?? []
      const changes = acts.filter(isChange)
      const payments = acts.flatMap((act) => paymentOf(act, { chainId: chain.id, custody }) ?? [])
      const accounts = [...new Set(changes.map(({ account }) => account))]
      const known = new Set([...(await store.known(accounts)), ...accounts.filter((each) => each === canary)])
      const passed = { chainId: chain.id, changes, known }
      const roots = await readRoots(acts, { store })
      return {
        preload: [...listChangeKeys(passed), ...payments.flatMap(listPaymentKeys), ...roots.preload],
        book(draft, context) {
          passChanges(draft, context, passed)
          for (const payment of payments) bookPayment(draft, context, payment)
          roots.book(draft, context)
        },
      }
    },
  }
}

/** Acts of roots, as a command books them. */
export interface ReadRoots {
  readonly preload: readonly StateKey[]
  readonly book: (draft: Draft, context: Pick<Context, 'now'>) => void
}

/** Follows the roots of the vault, in the order of the chain: a root can be dropped, and its header posted again. */
export async function readRoots(
  acts: readonly ExitAct[],
  { store }: { readonly store: Pick<ExitStore, 'ownHeaders'> },
): Promise<ReadRoots> {
  const own = await store.ownHeaders(acts.flatMap((act) => (act.kind === 'root' ? [act] : [])))
  const steps = acts.flatMap((act) => {
    if (act.kind === 'root') {
      const post = { ...act, isOwn: own.has(act.number) }
      return [{ preload: listRootKeys(post), book: (draft: Draft, now: Date) => bookRoot(draft, post, now) }]
    }
    if (act.kind !== 'drop') return []
    const ids = Array.from({ length: act.to - act.from + 1 }, (_, index) => postId(act.vault, act.from + index))
    const preload = [...ids.map((id) => ({ table: postedRoots, id })), ...HEADER_KEYS]
    return [{ preload, book: (draft: Draft, now: Date) => dropRoots(draft, ids, now) }]
  })
  return {
    preload: steps.flatMap(({ preload }) => preload),
    book: (draft, { now }) => {
      for (const step of steps) step.book(draft, now)
    },
  }
}

export function isChange(act: ExitAct): act is ExitChange {
  return act.kind === 'request' || act.kind === 'cancel'
}

/** Reads the payment of an act. The vault may have an asset that Clearwell does not list. */
export function paymentOf(
  act: ExitAct,
  { chainId, custody }: { readonly chainId: number; readonly custody: Pick<Custody, 'tokens'> },
): ExitPayment | undefined {
  if (act.kind !== 'paid') return undefined
  const asset = assetOf(act.token, custody)
  return asset && { ...act, id: movementId(chainId, act), asset }
}

function assetOf(token: string, { tokens }: Pick<Custody, 'tokens'>): AssetId | undefined {
  if (token === zeroAddress) return 'BNB'
  return tokens.find(({ address }) => address.toLowerCase() === token)?.asset
}
