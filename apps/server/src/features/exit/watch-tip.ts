import type { PlannedSwaps } from '../../domain/pools/planned-swaps.ts'
import type { Chain, Custody } from '../../platform/chain/chain.ts'
import { readCursor } from '../../platform/custody/chain-cursors.ts'
import { type CoverDependencies, createCover } from './cover.ts'
import { isChange } from './exit-follower.ts'
import { closeAtReplaced, type ExitChange, noteExisting, noteTip } from './follow-exits.ts'

/** Blocks after the cursor that are read. A watcher that is further behind catches up first. */
const MOST_BLOCKS = 2_000n
/** New accounts whose exit is looked up at a time, and how many a new leader looks up again. */
const MOST_NEW = 50
const LOOKED_UP_AGAIN = 1_000n

export interface TipDependencies extends CoverDependencies {
  readonly chain: Pick<Chain, 'id' | 'head' | 'exitActs'>
  readonly custody: Pick<Custody, 'vault' | 'replacedVaults'>
  /** Reads whether a vault holds anything after a block. */
  readonly isEmpty: (vault: `0x${string}`, block: bigint) => Promise<boolean>
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
  const { chain, custody, db, writer, store, plans } = deps
  const vault = custody.vault.toLowerCase()
  /** Accounts whose planned swaps this leader has ended. */
  let stopped = new Set<string>()
  /** The number of the last account that was looked up. */
  let lookedTo: bigint | undefined

  /** An account can be created after its address has asked the vault for an exit. */
  async function lookAtNewAccounts(block: bigint): Promise<void> {
    lookedTo ??= (await store.newestNumber()) - LOOKED_UP_AGAIN
    for (const { id: account, number } of await store.createdAfter(lookedTo, MOST_NEW)) {
      const at = await deps.exitAt({ account, block })
      if (at && !(await writer.execute(noteExisting({ chainId: chain.id, vault, account, at, block })))) return
      lookedTo = number
    }
  }

  /** An exit that was open at a move is payable at its vault while that one holds money. */
  async function closeReplaced(block: bigint): Promise<void> {
    for (const replaced of custody.replacedVaults ?? []) {
      const accounts = await store.openAt(replaced)
      if (accounts.length > 0 && (await deps.isEmpty(replaced, block)))
        await writer.execute(closeAtReplaced(replaced, accounts))
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
      await closeReplaced(cursor.number)
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
  const last = new Map<string, ExitChange>()
  for (const change of (acts ?? []).filter(isChange)) {
    const before = last.get(change.account)
    // A cancel at a vault that the ledger has left does not end a request at the new one.
    if (change.kind === 'cancel' && before?.kind === 'request' && before.vault !== change.vault) continue
    last.set(change.account, change)
  }
  return last
}
