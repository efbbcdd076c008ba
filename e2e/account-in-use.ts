import { type Hex, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { ownTransactions } from './chain.ts'

/** Somebody who has used the product: whoever signs in with the key sees lists with something in them. */
export interface AccountInUse {
  readonly key: Hex
  /** Transfers: one in that is credited, one out whose voucher waits to be submitted. */
  readonly inOrder: string
  readonly outOrder: string
}

/** Makes one through the product's own calls and the chain, without a browser: tests of screens only look at it. */
export async function accountInUse(): Promise<AccountInUse> {
  const key = generatePrivateKey()
  const account = privateKeyToAccount(key)
  let token: string | undefined
  const call = async (path: string, payload: Record<string, string> = {}) => {
    const headers = {
      'XX-Device-Type': 'web',
      'Idempotency-Key': crypto.randomUUID(),
      ...(token && { 'XX-Token': token }),
    }
    const url = `http://127.0.0.1:${process.env.E2E_PORT}/api${path}`
    const { code, msg, data } = await (
      await fetch(url, { method: 'POST', headers, body: new URLSearchParams(payload) })
    ).json()
    if (code !== 1) throw new Error(`${path} was refused: ${msg}`)
    return data
  }

  const { nonceStr } = await call('/DappUser/getNonce', { address: account.address })
  const signature = await account.signMessage({ message: nonceStr })
  token = (await call('/DappUser/login', { address: account.address, signature, device_type: 'web' })).token
  await call('/Local/faucet', { address: account.address })
  const chain = ownTransactions(account)
  const { order_id: inOrder, to: vault } = await call('/Wallet/buy', { asset: 'USDT', amount: '500' })
  const { assets } = (await (await fetch(`http://127.0.0.1:${process.env.E2E_PORT}/api/config`)).json()).data
  const { address: usdt } = assets.find((each: { asset: string }) => each.asset === 'USDT')
  const paid = await chain.deposit(vault, usdt, parseUnits('500', 18), inOrder)
  // Credits it, unless it is already.
  await call('/Wallet/retrieve', { tx_hash: paid })
  await call('/SwapPool/activeByBalance')
  const [{ id: pool_id }] = await call('/SwapPool/pairs')
  const deadline = new Date(Date.now() + 600_000).toISOString()
  await call('/SwapPool/doSwap', { pool_id, amount: '60', inverse: '1', min_amount_out: '0', deadline })
  const { order_id: outOrder } = await call('/Wallet/sell', { asset: 'USDT', amount: '25' })
  return { key, inOrder, outOrder }
}
