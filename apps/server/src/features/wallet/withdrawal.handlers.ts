import type { ResponseOf } from '@clearwell/api/routes'
import type { walletRoutes } from '@clearwell/api/wallet.routes'
import { NotReady } from '@clearwell/ledger/writer'
import { type Amount, formatAmount } from '@clearwell/money/amount'
import { ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import type { Custody } from '../../platform/chain/chain.ts'
import { type DepositDesk, isPayable, unitOf } from '../../platform/custody/deposit-desk.ts'
import { type DepositProgress, NOTHING_UNCONFIRMED, type Unconfirmed } from '../../platform/custody/unconfirmed.ts'
import { DEFAULT_PAGE, decodeCursor, encodeCursor, pageOf } from '../../platform/http/paging.ts'
import { readAmountOrZero } from '../../platform/http/read-amount.ts'
import type { HandlersOf } from '../../platform/http/request-context.ts'
import { invalidField, refusal } from '../../platform/ledger/refuse.ts'
import { byRule, type Ruled } from '../../platform/rules/ruled.ts'
import type { SigningCheck } from '../../platform/signer/signer.ts'
import type { SignedRoot } from '../../platform/signer/voucher-root.ts'
import { cancelWithdrawal } from './cancel-withdrawal.ts'
import { amountOutOfRange, orderWithdrawal, rangeOf, type WithdrawalLimits } from './order-withdrawal.ts'
import { type SettleDependencies, settleWithdrawal } from './settle-withdrawal.ts'
import { hasExits, isOfReplacedVault, tokenOf, voucherOf, withdrawCall, withdrawWithRootCall } from './voucher.ts'
import { isOpen, needsSignatureOf, type WithdrawalRow } from './withdrawal-orders.ts'

export interface WithdrawalDependencies extends SettleDependencies {
  readonly custody: Custody
  /** The limits of the assets that can be transferred out. */
  readonly limits: Readonly<Partial<Record<AssetId, Ruled<WithdrawalLimits>>>>
  readonly voucherTtlMs: number
  /** Confirmations that complete a transfer out. */
  readonly required: number
  /** Reads a wallet's payments that are on the chain but not confirmed yet. */
  readonly unconfirmedOf: DepositDesk['unconfirmedOf']
  /** Finds the newest root, for the call to a vault with exits: it is that of the voucher or a later one. */
  readonly findNewestRoot?: () => Promise<SignedRoot | undefined>
  /** Has a header made soon that holds the lock of a new order. Absent for a vault without exits. */
  readonly hurryRoot?: (() => void) | undefined
}

type Item = ResponseOf<'sell'>

export function withdrawalHandlers(
  deps: WithdrawalDependencies,
): Pick<HandlersOf<typeof walletRoutes>, 'sell' | 'sellOrders' | 'cancelSell' | 'sellLimits'> {
  const { store, writer, custody, clock, voucherTtlMs } = deps
  return {
    async sell({ asset, amount: text }, { user, idempotencyKey: key }) {
      const ruled = deps.limits[asset]
      if (!ruled) throw invalidField('asset', 'cannot be transferred out')
      const amount = readAmountOrZero('amount', text, asset)
      if (!isPayable(custody, amount)) throw invalidField('amount', 'too many decimals')
      const limits = await ruled.now()
      // A repeated key continues its earlier order, even if new orders are not possible now.
      const isRepetition = key !== undefined && (await store.isKeyUsed(user.id, key))
      if (!isRepetition) await refuseUnlessSignable(deps, user.id, amount, limits)
      const { orderId } = await writer.execute(
        byRule(ruled, (limits) =>
          orderWithdrawal({ limits, voucherTtlMs }, { userId: user.id, amount, key, now: clock.now() }),
        ),
      )
      deps.hurryRoot?.()
      const order = await settled(deps, orderId)
      if (order.status === 'refused') await refuseAsSigner(deps, order, limits)
      return item(deps, order, await viewOf(deps, user.id, [order]))
    },

    async sellOrders({ cursor, limit = DEFAULT_PAGE }, { user }) {
      const after = decodeCursor(cursor)
      const found = await store.withdrawals(user.id, after, limit + 1)
      const view = await viewOf(deps, user.id, found)
      const check = once(() => deps.signer.check())
      const rows = await Promise.all(
        found.map((row) => settledIfPossible(deps, row, { accepted: view.accepted, check })),
      )
      // Read last, so that it is never older than the root of a voucher.
      const root = await newestRoot(deps, rows)
      return pageOf(
        rows,
        limit,
        (row) => item(deps, row, { ...view, root }),
        (row) => encodeCursor({ at: row.created_at, id: row.id }),
      )
    },

    async cancelSell({ order_id: orderId }, { user }) {
      await cancelWithdrawal(deps, { userId: user.id, orderId })
      const order = await existing(deps, orderId)
      return item(deps, order, await viewOf(deps, user.id, [order]))
    },

    sellLimits: (_payload, { user }) =>
      Promise.all(ASSET_IDS.filter((asset) => deps.limits[asset]).map((asset) => readLimits(deps, user.id, asset))),
  }
}

/**
 * The outcome of a stored transfer out, from the ledger alone: asks neither the signer nor the chain.
 *
 * @throws Refusal if the signer refused the order.
 */
export async function sellOutcome(deps: WithdrawalDependencies, { orderId }: { orderId: string }): Promise<Item> {
  const order = await existing(deps, orderId)
  const limits = deps.limits[order.asset]
  if (order.status === 'refused' && limits) await refuseAsSigner(deps, order, await limits.now())
  return item(deps, order, {
    unconfirmed: NOTHING_UNCONFIRMED,
    accepted: undefined,
    root: await newestRoot(deps, [order]),
  })
}

async function readLimits(
  { signer, custody }: WithdrawalDependencies,
  userId: string,
  asset: AssetId,
): Promise<ResponseOf<'sellLimits'>[number]> {
  const today = await signer.dayRoom(tokenOf(custody, asset), userId)
  const units = today.left * unitOf(custody, asset)
  return {
    asset,
    available_today: formatAmount({ asset, units }),
    limited_by: today.limitedBy,
    more_at: today.moreAt?.toISOString() ?? null,
  }
}

/** Checks with the signer before the order locks its amount. */
async function refuseUnlessSignable(
  { signer, custody }: WithdrawalDependencies,
  userId: string,
  { asset, units }: Amount,
  limits: WithdrawalLimits,
): Promise<void> {
  const room = await signer.room(tokenOf(custody, asset), userId)
  if (room.stopped !== undefined) throw refusal('trading_suspended', { reason: room.stopped })
  const { today } = room
  const left = today.left * unitOf(custody, asset)
  // Amounts above the regular maximum are refused later, with that maximum, by the order itself.
  if (units <= left || (left >= limits.minOut && units > limits.maxOut)) return
  const day = {
    available_today: formatAmount({ asset, units: left }),
    limited_by: today.limitedBy,
    more_at: today.moreAt?.toISOString() ?? null,
  }
  if (left < limits.minOut) throw refusal('trading_suspended', { reason: 'daily_limit_reached', ...day })
  throw refusal('amount_out_of_range', {
    ...rangeOf(asset, { ...limits, maxOut: left }),
    reason: 'daily_limit',
    ...day,
  })
}

/** Reports the signer's reason for refusing after the amount was locked. The amount is available again by now. */
async function refuseAsSigner(
  deps: WithdrawalDependencies,
  { user_id: userId, asset, amount: units, refused_reason: reason }: WithdrawalRow,
  limits: WithdrawalLimits,
): Promise<void> {
  switch (reason) {
    case 'deadline_passed':
    case 'cancelled':
      // The response already shows the order as expired, or as cancelled.
      return
    case 'over_voucher_cap':
      throw amountOutOfRange({ asset, units }, limits)
    case 'over_account_cap':
    case 'over_day_cap':
      await refuseUnlessSignable(deps, userId, { asset, units }, limits)
      throw refusal('trading_suspended', { reason: 'daily_limit_reached' })
    default:
      throw refusal('trading_suspended', { reason: reason ?? undefined })
  }
}

async function settled(
  deps: WithdrawalDependencies,
  orderId: string,
  check?: () => Promise<SigningCheck>,
): Promise<WithdrawalRow> {
  await settleWithdrawal(deps, await existing(deps, orderId), check)
  return existing(deps, orderId)
}

/** @param view.accepted the signer that the vault accepts; `undefined` while that is not known. */
async function settledIfPossible(
  deps: WithdrawalDependencies,
  order: WithdrawalRow,
  { accepted, check }: { accepted: string | undefined; check: () => Promise<SigningCheck> },
): Promise<WithdrawalRow> {
  const isOutdated = accepted === deps.signer.address && needsSignatureOf(accepted, order)
  if (order.status !== 'locked' && !isOutdated) return order
  try {
    return await settled(deps, order.id, check)
  } catch (error) {
    if (error instanceof NotReady) return order
    throw error
  }
}

/** Calls the function the first time only, and returns that result every time. */
function once<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined
  return () => {
    result ??= read()
    return result
  }
}

async function existing({ store }: WithdrawalDependencies, orderId: string): Promise<WithdrawalRow> {
  const order = await store.withdrawal(orderId)
  if (!order) throw new Error('an order that was just created is missing')
  return order
}

/** The chain as the orders of one user are shown with it. */
interface ChainView {
  readonly unconfirmed: Unconfirmed
  /** The signer that the vault accepts; `undefined` while that is not known. */
  readonly accepted: string | undefined
  /** The root that the calls of signed orders post, in a vault with exits. */
  readonly root: SignedRoot | undefined
}

async function viewOf(
  deps: WithdrawalDependencies,
  userId: string,
  orders: readonly WithdrawalRow[],
): Promise<ChainView> {
  if (!orders.some(({ status }) => isOpen(status)))
    return { unconfirmed: NOTHING_UNCONFIRMED, accepted: undefined, root: undefined }
  const [unconfirmed, accepted] = await Promise.all([deps.unconfirmedOf(userId), deps.signer.acceptedSigner()])
  return { unconfirmed, accepted, root: await newestRoot(deps, orders) }
}

async function newestRoot(
  { findNewestRoot }: Pick<WithdrawalDependencies, 'findNewestRoot'>,
  orders: readonly WithdrawalRow[],
): Promise<SignedRoot | undefined> {
  return orders.some(({ status, root }) => isOpen(status) && root !== null) ? findNewestRoot?.() : undefined
}

/** A voucher with a signature that the vault rejects is shown as not signed yet. */
function item(
  { custody, required }: WithdrawalDependencies,
  order: WithdrawalRow,
  { unconfirmed, accepted, root }: ChainView,
): Item {
  const { asset, amount: units, nonce, user_id: account, signed_by: signedBy } = order
  const isOfSigner = accepted === undefined || signedBy === null || signedBy === accepted
  const isAccepted = isOfSigner && !isOfReplacedVault(custody, order)
  const signature = isAccepted ? order.signature : null
  const payment = { nonce, account, asset, units }
  const seen = isOpen(order.status) ? unconfirmed.withdrawalProgressOf(payment) : undefined
  const isCompleted = order.status === 'completed'
  return {
    order_id: order.id,
    asset,
    amount: formatAmount({ asset, units }),
    status: shownStatus(isAccepted ? order : unsigned(order), seen),
    signed: signature !== null,
    ...(order.status === 'locked' && hasExits(custody) ? { waits_for: 'second_signature' as const } : {}),
    ...(isOpen(order.status) && signature !== null
      ? voucherParts(custody, { order, signature, root })
      : { voucher: null, signature: null, calldata: null }),
    to: custody.vault,
    tx_hash: order.tx_hash ?? seen?.txHash ?? null,
    confirmations: isCompleted ? required : (seen?.confirmations ?? 0),
    required,
    expires_at: order.deadline.toISOString(),
    created_at: order.created_at.toISOString(),
    ...(order.completed_at ? { ended_at: order.completed_at.toISOString() } : {}),
  }
}

function unsigned(order: WithdrawalRow): WithdrawalRow {
  return order.status === 'signed' ? { ...order, status: 'locked' } : order
}

type VoucherParts = Pick<Item, 'voucher' | 'signature' | 'calldata' | 'header' | 'header_signatures'>

function voucherParts(
  custody: Custody,
  of: { readonly order: WithdrawalRow; readonly signature: string; readonly root: SignedRoot | undefined },
): VoucherParts {
  const { order, signature, root: newest } = of
  const stated = voucherOf(custody, order)
  const { account, asset, amount, nonce, deadline, root } = stated
  const digits = (value: bigint) => formatUnits(value, 0)
  const voucher = { account, asset, amount: digits(amount), nonce: digits(nonce), deadline: digits(deadline) }
  if (root === undefined) return { voucher, signature, calldata: withdrawCall(stated, signature) }
  // Headers are read one after another, so this one is never older than the voucher's.
  if (!newest) throw new Error(`the order ${order.id} is signed, and there is no header with both signatures`)
  return {
    voucher: { ...voucher, root: digits(root) },
    signature,
    calldata: withdrawWithRootCall(stated, signature, newest),
    header: shownHeader(newest),
    header_signatures: { root: newest.rootSignature, bookkeeper: newest.bookSignature },
  }
}

function shownHeader({ header }: SignedRoot): Item['header'] {
  return JSON.parse(JSON.stringify(header, (_key, value) => (typeof value === 'bigint' ? `${value}` : value)))
}

function shownStatus(
  { status, refused_reason: reason }: WithdrawalRow,
  seen: DepositProgress | undefined,
): Item['status'] {
  switch (status) {
    case 'locked':
    case 'signed':
      return seen ? 'submitted' : status
    case 'completed':
      return 'completed'
    case 'expired':
    case 'refused':
      // Otherwise the same for the user: nothing was paid, and the amount is available again.
      return reason === 'cancelled' ? 'cancelled' : 'expired'
  }
}
