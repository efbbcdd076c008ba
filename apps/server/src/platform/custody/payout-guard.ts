import type { Database } from '@clearwell/ledger/database'
import { NotReady } from '@clearwell/ledger/writer'
import type { Chain } from '../chain/chain.ts'
import type { Report } from '../log/report.ts'
import { readCursor } from './chain-cursors.ts'
import type { WithdrawalOrders } from './withdrawals.ts'

/** Blocks between the watcher's cursor and the head that are searched before a signature. */
const MOST_BLOCKS = 2_000n
const RECIPE = 'docs/recipes/restore-a-backup.md'

/**
 * Decides if a voucher may be signed: the ledger knows every payout that its last signer has authorized.
 *
 * A ledger that was restored from a backup has lost the vouchers signed after it. The vault still pays them, so another
 * signature of the same key could pay an amount twice. A payout whose nonce no order has is the sign of it: from then on
 * nothing is signed until the vault has another signer, which makes every lost voucher invalid.
 *
 * @returns the reason why nothing is signed, or `undefined`.
 * @throws NotReady while the watcher has not read up to the head. The chain's errors when it cannot be read.
 */
export type PayoutGuard = () => Promise<'ledger_behind' | undefined>

export function createPayoutGuard({
  db,
  chain,
  signer,
  findLost,
  onError,
}: {
  readonly db: Database
  readonly chain: Pick<Chain, 'id' | 'head' | 'movements'>
  /** The account that signs here, in lower case. */
  readonly signer: string
  readonly findLost: WithdrawalOrders['findLost']
  readonly onError: Report
}): PayoutGuard {
  let isReported = false
  /** The block up to which every payout was known. */
  let cleanTo: bigint | undefined

  async function isBehind(): Promise<boolean> {
    const booked = 'select from unknown_withdrawals where lost_signer = $1 limit 1'
    if ((await db.query(booked, [signer])).length > 0) return true
    const [cursor, head] = [await readCursor(db, chain.id), await chain.head()]
    if (!cursor || head.number === cleanTo) return false
    if (head.number - cursor.number > MOST_BLOCKS)
      throw new NotReady('the watcher has not read up to the head of the chain', { part: 'chain' })
    const { withdrawals } = await chain.movements({ from: cursor.number + 1n, to: head.number })
    const lost = await findLost(withdrawals.map(({ nonce }) => nonce))
    if (lost) return (lost.lastSigner ?? signer) === signer
    cleanTo = head.number
    return false
  }

  return async () => {
    if (!(await isBehind())) return undefined
    const text = `the vault has paid vouchers that the ledger does not know: nothing is signed until the vault has another signer, see ${RECIPE}`
    if (!isReported) onError(new Error(text), 'withdrawals')
    isReported = true
    return 'ledger_behind'
  }
}
