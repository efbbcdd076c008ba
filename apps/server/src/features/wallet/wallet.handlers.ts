import type { ResponseOf } from '@clearwell/api/routes'
import type { walletRoutes } from '@clearwell/api/wallet.routes'
import type { Writer } from '@clearwell/ledger/writer'
import { type Amount, formatAmount } from '@clearwell/money/amount'
import { ASSET_DECIMALS, ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { mulDiv } from '@clearwell/money/mul-div'
import { E18 } from '@clearwell/money/scale'
import type { PledgeMoment } from '../../domain/lending/pledge-values.ts'
import type { ChainDeposit } from '../../platform/chain/chain.ts'
import type { DepositDesk } from '../../platform/custody/deposit-desk.ts'
import { type DepositProgress, NOTHING_UNCONFIRMED } from '../../platform/custody/unconfirmed.ts'
import { DEFAULT_PAGE, decodeCursor, encodeCursor, pageOf } from '../../platform/http/paging.ts'
import { readAmountOrZero } from '../../platform/http/read-amount.ts'
import type { HandlersOf } from '../../platform/http/request-context.ts'
import { userAccount } from '../../platform/ledger/accounts.ts'
import { invalidField } from '../../platform/ledger/refuse.ts'
import { byRule, type Ruled } from '../../platform/rules/ruled.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { orderDeposit, type TransferLimits } from './order-deposit.ts'
import type { DepositOrderRow, WalletStore } from './wallet.store.ts'

export interface WalletDependencies {
  readonly store: WalletStore
  readonly writer: Writer
  readonly clock: Clock
  readonly desk: DepositDesk
  /** The limits of the assets that can be transferred in. */
  readonly limits: Readonly<Partial<Record<AssetId, Ruled<TransferLimits>>>>
  readonly orderTtlMs: number
  readonly pledgeMoment: () => Promise<PledgeMoment>
  /** The price of one unit of an asset in USDT, 18-decimal fixed point; `undefined` while it is unknown. */
  readonly priceUsdtE18: (asset: AssetId) => Promise<bigint | undefined>
}

export function walletHandlers(
  deps: WalletDependencies,
): Pick<HandlersOf<typeof walletRoutes>, 'balances' | 'buy' | 'buyOrders' | 'retrieve'> {
  const { store, writer, desk } = deps
  return {
    balances: (_payload, { user }) => readBalances(deps, user.id),

    async buy({ asset, amount: text }, { user, idempotencyKey: key }) {
      const limits = deps.limits[asset]
      if (!limits) throw invalidField('asset', 'cannot be transferred in')
      const amount = readAmountOrZero('amount', text, asset)
      if (!desk.canPay(amount)) throw invalidField('amount', 'too many decimals')
      const { orderTtlMs } = deps
      const input = { userId: user.id, amount, key, joined: await store.inviters(user.id) }
      const { orderId } = await writer.execute(byRule(limits, (limits) => orderDeposit({ limits, orderTtlMs }, input)))
      const order = await store.deposit(user.id, orderId)
      if (!order) throw new Error('an order that was just created is missing')
      return orderResponse(desk, order)
    },

    async buyOrders({ cursor, limit = DEFAULT_PAGE }, { user }) {
      const rows = await store.deposits(user.id, decodeCursor(cursor), limit + 1)
      const now = deps.clock.now()
      const isAnyUnpaid = rows.some(({ credited }) => credited === 0n)
      const unconfirmed = isAnyUnpaid ? await desk.unconfirmedOf(user.id) : NOTHING_UNCONFIRMED
      return pageOf(
        rows,
        limit,
        (row) =>
          orderItem(desk.required, unconfirmed.progressOf({ ...row, orderId: row.id, userId: user.id }), row, now),
        (row) => encodeCursor({ at: row.created_at, id: row.id }),
      )
    },

    async retrieve({ tx_hash: txHash }, { user }) {
      const found = await desk.lookUp(txHash.toLowerCase())
      const required = desk.required
      switch (found.status) {
        case 'not_found':
          return { status: 'not_found', confirmations: 0, required, items: [] }
        case 'failed':
          return { status: 'not_found', reason: 'failed_on_chain', confirmations: 0, required, items: [] }
        case 'not_ours':
          return { status: 'not_found', reason: 'not_ours', confirmations: 0, required, items: [] }
        default: {
          const deposits = found.deposits.map((deposit) => retrievedItem(deposit, user.id))
          // Negative: these funds left the vault.
          const withdrawals = found.withdrawals.map((each) => retrievedItem({ ...each, units: -each.units }, user.id))
          const items = [...deposits, ...withdrawals]
          const othersOnly = deposits.length > 0 && items.every((item) => !item.mine)
          const reason = othersOnly ? { reason: 'sender_credited' as const } : {}
          return { status: found.status, ...reason, confirmations: found.confirmations, required, items }
        }
      }
    },
  }
}

async function readBalances(deps: WalletDependencies, userId: string): Promise<ResponseOf<'balances'>> {
  const moment = await deps.pledgeMoment()
  const { held, pledged: pledges, owed: debts } = await deps.store.holdings({ userId, moment })
  const unitsIn = (place: Parameters<typeof userAccount>[1], asset: AssetId) =>
    held.find((row) => row.account === userAccount(userId, place) && row.asset === asset)?.units ?? 0n
  return Promise.all(
    ASSET_IDS.map(async (asset) => {
      const available = unitsIn('available', asset)
      const locked = unitsIn('locked', asset)
      const collateral = unitsIn('collateral', asset)
      const deposit = unitsIn('rt_deposit', asset)
      const pledged = pledges.find((row) => row.asset === asset)?.units ?? 0n
      const total = available + locked + pledged + collateral + deposit
      const owed = debts.reduce((sum, row) => (row.asset === asset ? sum + row.units : sum), 0n)
      const price = total === 0n && owed === 0n ? 0n : await deps.priceUsdtE18(asset)
      const text = (units: bigint) => formatUnits(units, ASSET_DECIMALS[asset])
      return {
        asset,
        available: text(available),
        locked: text(locked),
        pledged: text(pledged),
        collateral: text(collateral + deposit),
        total: text(total),
        // Rounded down, so that no value is overstated.
        value_usdt: price === undefined ? null : formatUnits(mulDiv(total, price, E18, 'down'), ASSET_DECIMALS.USDT),
        owed: text(owed),
        owed_usdt: price === undefined ? null : formatUnits(mulDiv(owed, price, E18, 'up'), ASSET_DECIMALS.USDT),
      }
    }),
  )
}

function orderResponse(desk: DepositDesk, order: DepositOrderRow): ResponseOf<'buy'> {
  const amount: Amount = { asset: order.asset, units: order.amount }
  return {
    order_id: order.id,
    ...desk.callFor(amount, order.id),
    asset: order.asset,
    amount: formatAmount(amount),
    expires_at: order.expires_at.toISOString(),
  }
}

function orderItem(
  required: number,
  seen: DepositProgress | undefined,
  order: DepositOrderRow,
  now: Date,
): ResponseOf<'buyOrders'>['items'][number] {
  const credited = order.credited > 0n
  const open = seen ? 'seen' : order.expires_at <= now ? 'expired' : 'created'
  return {
    order_id: order.id,
    asset: order.asset,
    amount: formatAmount({ asset: order.asset, units: order.amount }),
    credited: formatAmount({ asset: order.asset, units: order.credited }),
    tx_hash: order.tx_hash ?? seen?.txHash ?? null,
    confirmations: credited ? required : (seen?.confirmations ?? 0),
    required,
    status: credited ? 'credited' : open,
    created_at: order.created_at.toISOString(),
  }
}

function retrievedItem({ account, asset, units }: Pick<ChainDeposit, 'account' | 'asset' | 'units'>, userId: string) {
  return {
    asset,
    amount: formatAmount({ asset, units }),
    mine: account === userId,
  }
}
