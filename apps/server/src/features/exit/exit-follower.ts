import type { AssetId } from '@clearwell/money/asset'
import { zeroAddress } from 'viem'
import { type Chain, type Custody, movementId } from '../../platform/chain/chain.ts'
import type { ExitAct } from '../../platform/chain/exit-act.ts'
import type { CursorFollower } from '../../platform/custody/cursor-followers.ts'
import { leavingKey } from '../../platform/ledger/leaving-accounts.ts'
import { bookPayment, type ExitPayment, listPaymentKeys } from './book-payment.ts'
import type { ExitStore } from './exit.store.ts'
import { type ExitChange, passChanges } from './follow-exits.ts'

/** Books exits with the watcher's cursor: their requests, cancels and payments. */
export function createExitFollower({
  chain,
  custody,
  store,
}: {
  readonly chain: Pick<Chain, 'id' | 'exitActs'>
  readonly custody: Pick<Custody, 'tokens'>
  readonly store: Pick<ExitStore, 'known'>
}): CursorFollower {
  return {
    async read(range) {
      const acts = (await chain.exitActs?.(range)) ?? []
      const changes = acts.filter(isChange)
      const payments = acts.flatMap((act) => paymentOf(act, { chainId: chain.id, custody }) ?? [])
      const known = await store.known([...new Set(changes.map(({ account }) => account))])
      return {
        preload: [...[...known].map(leavingKey), ...payments.flatMap(listPaymentKeys)],
        book(draft, context) {
          passChanges(draft, context, { changes, known })
          for (const payment of payments) bookPayment(draft, context, payment)
        },
      }
    },
  }
}

export function isChange(act: ExitAct): act is ExitChange {
  return act.kind !== 'paid'
}

/** The vault may have an asset that Clearwell does not list. */
function paymentOf(
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
