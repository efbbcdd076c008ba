import type { Database } from '@clearwell/ledger/database'
import type { Writer } from '@clearwell/ledger/writer'
import { HOUR_MS } from '@clearwell/rules/spans'
import type { Chain, ChainBlock } from '../../platform/chain/chain.ts'
import { readCursor } from '../../platform/custody/chain-cursors.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { type Claim, type CoverPrices, coverPayments, type FixedClaims, PATIENCE_MS } from './cover-payments.ts'
import { CUT_MS } from './describe-exit.ts'
import type { ExitStore } from './exit.store.ts'
import type { PaymentPlace } from './missing-payments.ts'
import type { Remind } from './remind.ts'

export interface CoverDependencies {
  readonly chain: Pick<Chain, 'id'>
  readonly db: Database
  readonly writer: Pick<Writer, 'execute'>
  readonly clock: Clock
  readonly store: ExitStore
  /** Computes what the vault still pays of an exit; `undefined` without its base or a path. */
  readonly claimsOf: (of: { readonly account: string; readonly exitAt: Date }) => Promise<readonly Claim[] | undefined>
  /** The prices by which advances are taken back. */
  readonly coverPrices: () => Promise<CoverPrices>
  readonly remind: Remind
}

/** `Roots.POSTABLE` of the vault: a header can be posted until so long after its block. */
const POSTABLE_MS = 2 * HOUR_MS

type FixedExit = Awaited<ReturnType<ExitStore['requestedUntil']>>[number]

/** Covers what the ledger lacks of exits, on the leader. */
export interface Cover {
  /** @param cursor the watcher's. */
  run(cursor: ChainBlock): Promise<void>
  /** Returns whether the balances of an exit whose base is fixed were not compared with its claims yet, or are below them. */
  isBehind(): Promise<boolean>
  forget(): void
}

export function createCover(deps: CoverDependencies): Cover {
  const { chain, db, writer, clock, store, remind } = deps
  /** Exits whose balances are not below their claims. The accounts are locked, so they stay so. */
  let settled = new Set<string>()
  /** The last account that owes and was looked at. */
  let lastOwing: string | undefined
  /** The last payment that lacks units and was looked at. */
  let lastPayment: PaymentPlace | undefined

  /**
   * Finds the exits whose cut the cursor has passed, or passes while a header of it can still be posted. Such a header is not the base, but
   * after an end its pledges and loans would be paid beside the exit.
   */
  const fixedAt = (cursor: Pick<ChainBlock, 'time'>) =>
    store.requestedUntil(new Date(cursor.time.getTime() - CUT_MS + POSTABLE_MS))

  async function claimsOf(exits: readonly FixedExit[], block: bigint): Promise<FixedClaims> {
    const of: { account: string; claims: FixedClaims['of'][number]['claims'] }[] = []
    for (const { id: account, exit_at: exitAt } of exits) {
      const claims = await deps.claimsOf({ account, exitAt })
      if (claims) of.push({ account, claims })
    }
    return { chainId: chain.id, block, of }
  }

  return {
    async run(cursor) {
      const [missed, owes] = [await store.missingPayments(lastPayment), await store.owing(lastOwing)]
      const fixed = await fixedAt(cursor)
      lastPayment = missed.last
      lastOwing = owes.last
      const rows = missed.payments
      const owing = owes.accounts
      settled = new Set(fixed.map(nameOf).filter((each) => settled.has(each)))
      const unpaid = new Set([...rows.map(({ user_id }) => user_id), ...owing])
      const looked = fixed.filter((exit) => unpaid.has(exit.id) || !settled.has(nameOf(exit)))
      if (unpaid.size + looked.length === 0) return
      const claims = await claimsOf(looked, cursor.number)
      const left = await writer.execute(coverPayments({ payments: rows, owing, claims }, await deps.coverPrices()))
      const short = new Set(left.accounts)
      for (const exit of looked) {
        if (left.isCurrent && !short.has(exit.id)) settled.add(nameOf(exit))
        else settled.delete(nameOf(exit))
        if (short.has(exit.id))
          remind(`headers wait: the vault pays ${exit.id} more than account, insurance and treasury have`, exit.id)
      }
      const missing = new Set(left.payments)
      const isLate = (at: Date) => clock.now().getTime() - at.getTime() > PATIENCE_MS
      for (const { id, user_id, asset } of rows.filter((each) => missing.has(each.id) && isLate(each.booked_at)))
        remind(
          `the vault has paid ${user_id} more ${asset} than account, insurance and treasury have: see payment ${id}`,
          id,
        )
    },
    async isBehind() {
      const cursor = await readCursor(db, chain.id)
      return cursor !== undefined && (await fixedAt(cursor)).some((exit) => !settled.has(nameOf(exit)))
    },
    forget() {
      settled = new Set()
      lastOwing = undefined
      lastPayment = undefined
    },
  }
}

function nameOf({ id, exit_at }: FixedExit): string {
  return `${id} ${exit_at.getTime()}`
}
