import type { ResponseOf } from '@clearwell/api/routes'
import type { AssetId } from '@clearwell/money/asset'
import { parseUnits } from '@clearwell/money/decimal'
import type { Custody } from '@clearwell/server/src/platform/chain/chain.ts'
import type { Hex } from 'viem'
import {
  addTo,
  type Chance,
  callAs,
  readHeld,
  roundAmount,
  type SimulatedUser,
  textOf,
  type UserContext,
  unitsOf,
} from './simulated-user.ts'
import { approval, type Gift, type WalletBatch, type WalletCall } from './wallet-batch.ts'

/** One in so many orders is never paid, or its voucher never submitted, so that lists have expired ones too. */
const LEFT_ONE_IN = 8

export interface PaymentContext extends UserContext {
  readonly wallets: WalletBatch
  readonly custody: Custody
  /** Moves the chain's clock to the server's. */
  readonly moveChain: () => Promise<void>
  /** Has the server read the chain's payments. */
  readonly readPayments: () => Promise<void>
}

/** A payment into the vault or out of it. */
export interface SimulatedPayment extends Chance {
  readonly user: SimulatedUser
}

/** Signs users in, pays their first deposits into the vault and activates them. Those who have joined are only read. */
export async function joinUsers(context: PaymentContext, joining: readonly SimulatedPayment[]): Promise<void> {
  const isNew = async ({ user }: SimulatedPayment) => {
    user.held = await readHeld(context, user)
    // A start that was killed between the payment and the activation has paid.
    return { isInactive: !user.session?.isActivated, isUnpaid: [...user.held.values()].every((units) => units === 0n) }
  }
  const states = await Promise.all(joining.map(isNew))
  const inactive = joining.filter((_, index) => states[index]?.isInactive)
  const unpaid = joining.filter((_, index) => states[index]?.isInactive && states[index]?.isUnpaid)
  await deposit(
    context,
    unpaid.flatMap((payment) => firstAmounts(payment.chance).map((amount) => ({ ...payment, ...amount }))),
  )
  await Promise.all(
    inactive.map(async ({ user }) => {
      await callAs(context, user, 'activeByBalance', {}, `activate-${user.account.address}`)
      user.held = await readHeld(context, user)
    }),
  )
}

/** Users with a holding pay more in. */
export async function transferIn(context: PaymentContext, payments: readonly SimulatedPayment[]): Promise<void> {
  const amounts = payments.map((payment) => ({ ...payment, asset: 'USDT' as const, amount: usdt(payment.chance) }))
  const paid = amounts.filter(({ chance }) => chance % LEFT_ONE_IN !== 0)
  const left = amounts.filter(({ chance }) => chance % LEFT_ONE_IN === 0)
  await Promise.all(left.map((order) => orderDeposit(context, order)))
  await deposit(context, paid)
  for (const { user, asset, amount } of paid) addTo(user, asset, unitsOf(amount, asset))
}

/** Users take a part of their USDT out of the vault. */
export async function transferOut(context: PaymentContext, payments: readonly SimulatedPayment[]): Promise<void> {
  await context.moveChain()
  const ordered: WalletCall[] = []
  for (const { user, chance, key } of payments) {
    const units = roundAmount((user.held?.get('USDT') ?? 0n) / 10n)
    if (units < 10n ** 19n) continue
    const payload = { asset: 'USDT', amount: textOf(units, 'USDT') } as const
    const order = await callAs(context, user, 'sell', payload, key)
    addTo(user, 'USDT', -units)
    if (chance % LEFT_ONE_IN === 0 || order.calldata === null) continue
    ordered.push({ account: user.account, to: order.to as Hex, data: order.calldata as Hex, value: 0n })
  }
  if (ordered.length === 0) return
  await context.wallets.send(ordered)
  await context.readPayments()
}

interface Deposit extends SimulatedPayment {
  readonly asset: AssetId
  readonly amount: string
}

function orderDeposit(context: PaymentContext, { user, asset, amount, key }: Deposit): Promise<ResponseOf<'buy'>> {
  return callAs(context, user, 'buy', { asset, amount }, `${key}-${asset}`)
}

/** Orders, pays and has the server credit. The callers know the new holdings. */
async function deposit(context: PaymentContext, deposits: readonly Deposit[]): Promise<void> {
  if (deposits.length === 0) return
  const orders = await Promise.all(deposits.map((each) => orderDeposit(context, each)))
  const gifts: Gift[] = []
  const calls: WalletCall[] = []
  deposits.forEach(({ user: { account } }, index) => {
    const order = orders[index]
    if (!order) return
    const { asset, amount, calldata, value } = order
    const to = order.to as Hex
    const token = context.custody.tokens.find((each) => each.asset === asset)
    const units = parseUnits(amount, token?.decimals ?? 18) ?? 0n
    gifts.push({ address: account.address, asset, units })
    if (token) calls.push(approval({ account, token: token.address, spender: to, units }))
    calls.push({ account, to, data: calldata as Hex, value: BigInt(value) })
  })
  await context.moveChain()
  await context.wallets.send(calls, gifts)
  await context.readPayments()
}

/** Deposits of a new user: USDT to trade with, BNB to borrow against, and ETH now and then. */
function firstAmounts(chance: number): { asset: AssetId; amount: string }[] {
  const amounts: { asset: AssetId; amount: string }[] = [
    { asset: 'USDT', amount: usdt(chance) },
    { asset: 'BNB', amount: String(1 + ((chance >>> 12) % 12)) },
  ]
  if ((chance >>> 16) % 3 === 0) amounts.push({ asset: 'ETH', amount: `0.${5 + ((chance >>> 20) % 5)}` })
  return amounts
}

/** From 400 to 10,300 USDT. */
function usdt(chance: number): string {
  return String(400 + 100 * (chance % 100))
}
