import type { PlannedSwaps } from '../../domain/pools/planned-swaps.ts'
import type { Chain } from '../../platform/chain/chain.ts'
import { readCursor } from '../../platform/custody/chain-cursors.ts'
import { type CoverDependencies, createCover } from './cover.ts'
import { isChange } from './exit-follower.ts'
import { type ExitChange, noteExisting, noteTip } from './follow-exits.ts'

/** Blocks after the cursor that are read. A watcher that is further behind catches up first. */
const MOST_BLOCKS = 2_000n
/** New accounts whose exit is looked up at a time, and how many a new leader looks up again. */
const MOST_NEW = 50
const LOOKED_UP_AGAIN = 1_000n

export interface TipDependencies extends CoverDependencies {
  readonly chain: Pick<Chain, 'id' | 'head' | 'exitActs'>
  readonly plans: () => PlannedSwaps
  /** Asks the vault when an account requested the exit that is open after a block. */
  readonly exitAt: (of: { readonly account: string; readonly block: bigint }) => Promise<Date | undefined>
}

/** Follows exits from the watcher's cursor to the tip of the chain. */
export interface TipWatch {
  /** Locks and unlocks accounts by what the chain says now, and ends what they have planned. */
  look(): Promise<void>
  /** Begins again, as a new leader. */
  forget(): void
  /** Returns whether an exit whose base is fixed may find less in the ledger than the vault pays. Bookkeepers refuse such a header. */
  holdsHeaders(): Promise<boolean>
}

export function watchTip(deps: TipDependencies): TipWatch {
  const { chain, db, writer, store, plans } = deps
  /** Accounts whose planned swaps this leader has ended. */
  let stopped = new Set<string>()
  /** The number of the last account that was looked up. */
  let lookedTo: bigint | undefined

  /** An account can be created after its address has asked the vault for an exit. */
  async function lookAtNewAccounts(block: bigint): Promise<void> {
    lookedTo ??= (await store.newestNumber()) - LOOKED_UP_AGAIN
    for (const { id: account, number } of await store.createdAfter(lookedTo, MOST_NEW)) {
      const at = await deps.exitAt({ account, block })
      if (at && !(await writer.execute(noteExisting({ chainId: chain.id, account, at, block })))) return
      lookedTo = number
    }
  }

  async function endPlans(): Promise<void> {
    const leaving = await store.leaving()
    const still = new Set(leaving)
    stopped = new Set([...stopped].filter((id) => still.has(id)))
    for (const id of leaving) {
      if (stopped.has(id)) continue
      await plans().endAll(id, 'exit')
      stopped.add(id)
    }
  }

  const cover = createCover(deps)

  return {
    async look() {
      const cursor = await readCursor(db, chain.id)
      if (!cursor) return
      const last = await readTip(chain, cursor.number)
      const known = await store.known([...last.keys()])
      const accounts = [...new Set([...known, ...(await store.unsettled(cursor.number))])]
      if (accounts.length > 0)
        await writer.execute(noteTip(accounts.map((account) => ({ account, last: last.get(account) }))))
      await lookAtNewAccounts(cursor.number)
      await endPlans()
      await cover.run(cursor)
    },
    forget() {
      stopped = new Set()
      cover.forget()
      lookedTo = undefined
    },
    holdsHeaders: cover.isBehind,
  }
}

/** Reads the last request or cancel of each account after the cursor. */
async function readTip(chain: TipDependencies['chain'], cursor: bigint): Promise<ReadonlyMap<string, ExitChange>> {
  const { number: head } = await chain.head()
  const most = cursor + MOST_BLOCKS
  const acts = head > cursor ? await chain.exitActs?.({ from: cursor + 1n, to: head < most ? head : most }) : []
  return new Map((acts ?? []).filter(isChange).map((change) => [change.account, change]))
}
