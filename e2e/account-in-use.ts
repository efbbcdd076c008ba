import { type Hex, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { ownTransactions } from './chain.ts'
import { newTrader } from './trader.ts'

/** Somebody who has used the product: whoever signs in with the key sees lists with something in them. */
export interface AccountInUse {
  readonly key: Hex
  /** Transfers: one in that is credited, one out whose voucher waits to be submitted. */
  readonly inOrder: string
  readonly outOrder: string
}

/** Makes one through the product's own calls and the chain, without a browser: tests of screens only look at it. */
export async function accountInUse(): Promise<AccountInUse> {
  const { key, call, swap } = await newTrader({ USDT: '20' })
  const { order_id: inOrder, to: vault } = await call('/Wallet/buy', { asset: 'USDT', amount: '500' })
  const { assets } = (await (await fetch(`http://127.0.0.1:${process.env.E2E_PORT}/api/config`)).json()).data
  const { address: usdt } = assets.find((each: { asset: string }) => each.asset === 'USDT')
  const chain = ownTransactions(privateKeyToAccount(key))
  const paid = await chain.deposit(vault, usdt, parseUnits('500', 18), inOrder as Hex)
  // Credits it, unless it is already.
  await call('/Wallet/retrieve', { tx_hash: paid })
  const [{ id: pool }] = await call('/SwapPool/pairs')
  await swap({ pool, amount: '60', inverse: true })
  const { order_id: outOrder } = await call('/Wallet/sell', { asset: 'USDT', amount: '25' })
  return { key, inOrder, outOrder }
}
