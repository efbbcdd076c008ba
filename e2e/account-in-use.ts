import { type Hex, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { transactionsOf } from './chain.ts'
import type { ShownScreen } from './screens.ts'
import { newTrader } from './trader.ts'

/** An account with history: signing in with its key shows filled lists. */
export interface AccountInUse {
  readonly key: Hex
  /** Orders: a credited transfer in, and a transfer out whose voucher is ready to submit. */
  readonly inOrder: string
  readonly outOrder: string
}

/** Creates the account through the API and the chain, since tests of screens only read it. */
export async function accountInUse(): Promise<AccountInUse> {
  const { key, call, swap } = await newTrader({ USDT: '20' })
  const { order_id: inOrder, to: vault } = await call('/Wallet/buy', { asset: 'USDT', amount: '500' })
  const { assets } = (await (await fetch(`http://127.0.0.1:${process.env.E2E_PORT}/api/config`)).json()).data
  const { address: usdt } = assets.find((each: { asset: string }) => each.asset === 'USDT')
  const chain = transactionsOf(privateKeyToAccount(key))
  const paid = await chain.deposit(vault, usdt, parseUnits('500', 18), inOrder as Hex)
  // Credits the payment, unless the watcher already has.
  await call('/Wallet/retrieve', { tx_hash: paid })
  const [{ id: pool }] = await call('/SwapPool/pairs')
  await swap({ pool, amount: '60', inverse: true })
  const { order_id: outOrder } = await call('/Wallet/sell', { asset: 'USDT', amount: '25' })
  await call('/BlindBox/click')
  await call('/Rich/link', { uid: uidOf(key), name: 'Member' })
  return { key, inOrder, outOrder }
}

/** A different UID for each account: 18 digits. */
function uidOf(key: Hex): string {
  return (BigInt(key) % 10n ** 18n).toString().padStart(18, '1')
}

/** Screens whose query selects data of the account. */
export function screensWithData({ inOrder, outOrder }: AccountInUse): readonly ShownScreen[] {
  const confirmation = 'title_wallet_confirmation'
  const progress = 'title_wallet_send_transaction'
  // Neighbours differ in their heading, so that a test can wait for the next one.
  return [
    { path: '/wallet/buy?asset=BNB&amount="99999"', heading: 'title_wallet_buy' },
    { path: '/wallet/confirmation?asset=USDT&amount="20"', heading: confirmation },
    { path: '/wallet/sell?asset=USDT&amount="99999"', heading: 'title_wallet_sell' },
    { path: '/wallet/confirmation?way=out&asset=USDT&amount="20"', heading: confirmation },
    { path: `/wallet/sendTransaction?order=${inOrder}`, heading: 'wallet_in_done' },
    { path: '/wallet/summary?period=day', heading: 'title_wallet_summary' },
    { path: `/wallet/sendTransaction?way=out&order=${outOrder}`, heading: progress },
    { path: '/wallet/logs?range=own&from=2001-01-01', heading: 'title_wallet_logs' },
  ]
}
