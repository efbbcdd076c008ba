import type { BalanceOf } from './entry-checks.ts'
import { userOf } from './entry-patterns.ts'
import type { EntryFields } from './ledger-lines.ts'

/** An open loan, as its entries show it. Amounts are base units. */
interface LoanOrder {
  readonly owner: string
  readonly collateralAsset: string
  readonly collateral: bigint
  readonly borrowAsset: string
  /**
   * The least principal that is still owed: the loan less everything that arrived in the pool for it. A part of that is interest, so the
   * order owes this or more at any rate.
   */
  readonly owed: bigint
}

type Judged = { readonly fault: string } | { readonly after: LoanOrder }

/** Each kind of entry that belongs to a loan. Its reference is the order. */
const KINDS = ['loan', 'loan_repayment', 'collateral_added', 'collateral_returned', 'liquidation']
const INSURANCE = 'insurance'

/**
 * Follows each loan by its entries, and finds a loss that is not shared by the rule: insurance pays it as far as it has the asset, and the
 * pledgers bear the rest. It knows no prices and no rates, so only the principal of a loan counts.
 */
export class LoanOrders {
  readonly #orders = new Map<string, LoanOrder>()

  /**
   * Takes the next entry.
   *
   * @param balanceOf the balances before it.
   * @returns the fault. The entry does not count then.
   */
  take(entry: EntryFields, balanceOf: BalanceOf): string | undefined {
    const [seq, kind, , reference] = entry
    if (!KINDS.includes(kind)) return undefined
    const order = this.#orders.get(reference)
    const judged = kind === 'loan' ? opened(order, entry) : changed(order, entry, balanceOf)
    if ('fault' in judged) return `entry ${seq} (${kind}) ${judged.fault}`
    if (judged.after.collateral === 0n) this.#orders.delete(reference)
    else this.#orders.set(reference, judged.after)
    return undefined
  }
}

function opened(known: LoanOrder | undefined, [, , , , postings]: EntryFields): Judged {
  const added = postings.find(([account]) => userOf(account)?.place === 'collateral')
  const lent = postings.find(([account]) => isCash(account))
  const owner = added && userOf(added[0])?.owner
  if (known || !added || !lent || owner === undefined) return { fault: 'opens an order that is open' }
  const [collateralAsset, collateral] = [added[1], BigInt(added[2])]
  return { after: { owner, collateralAsset, collateral, borrowAsset: lent[1], owed: -BigInt(lent[2]) } }
}

function changed(order: LoanOrder | undefined, entry: EntryFields, balanceOf: BalanceOf): Judged {
  if (!order) return { fault: 'is of no open order' }
  const [, kind, , , postings] = entry
  const isForeign = postings.some(([account, asset]) => {
    const user = userOf(account)
    if (!user) return asset !== order.borrowAsset
    return user.place === 'collateral' && (user.owner !== order.owner || asset !== order.collateralAsset)
  })
  if (isForeign) return { fault: 'is of another borrower or asset than its order' }
  const sumOf = (matches: (account: string) => boolean) =>
    postings.reduce((sum, [account, , units]) => (matches(account) ? sum + BigInt(units) : sum), 0n)
  const collateral = order.collateral + sumOf((account) => userOf(account)?.place === 'collateral')
  const after = { ...order, collateral, owed: order.owed - sumOf(isCash) }
  if (collateral < 0n) return { fault: 'takes more collateral than its order has' }
  if (kind === 'liquidation') return cleared({ order, after, entry, balanceOf })
  const isForgiven = collateral === 0n && after.owed > 0n
  return isForgiven ? { fault: `ends a loan with ${after.owed} base units unpaid` } : { after }
}

/**
 * A loss of the principal is known once no collateral is left. The pledgers bear it only if insurance is then empty, and no interest has
 * arrived of which insurance or the reserve get a part.
 */
function cleared({
  order: { owner, borrowAsset },
  after,
  entry: [, , , , postings],
  balanceOf,
}: {
  readonly order: LoanOrder
  readonly after: LoanOrder
  readonly entry: EntryFields
  readonly balanceOf: BalanceOf
}): Judged {
  const own = postings.filter(([account]) => userOf(account)?.owner === owner && userOf(account)?.place === 'available')
  if (own.some(([, , units]) => units.startsWith('-'))) return { fault: 'has the borrower pay beside the collateral' }
  const change = postings.reduce((sum, [account, , units]) => (account === INSURANCE ? sum + BigInt(units) : sum), 0n)
  if (change < 0n && own.length > 0) return { fault: 'has insurance pay while the borrower gets collateral back' }
  const insurance = balanceOf(INSURANCE, borrowAsset) + change
  // The pledgers may have borne a loss of this part, which the entry does not show.
  if (after.collateral > 0n) return { after: insurance === 0n ? { ...after, owed: 0n } : after }
  if (after.owed <= 0n) return { after }
  if (insurance > 0n) return { fault: `has pledgers bear a loss of ${after.owed} that insurance can pay` }
  const isShared = postings.some(([account]) => account.endsWith(':reserve'))
  return isShared ? { fault: 'gives the reserve a part of a loss' } : { after }
}

function isCash(account: string): boolean {
  return account.startsWith('lending:') && account.endsWith(':cash')
}
