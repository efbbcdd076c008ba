import { randomUUID } from 'node:crypto'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { type Address, type Hex, parseEther } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Testnet } from './testnet.ts'

const CREDIT_MS = 30_000

/** Calls the API as a foreign client would: a form, the envelope back. */
export type Call = (
  method: 'GET' | 'POST',
  path: string,
  payload?: Record<string, string>,
  token?: string,
) => Promise<Reply>

interface Reply {
  readonly code: number
  readonly msg: string
  // biome-ignore lint/suspicious/noExplicitAny: the data of a foreign client has no types
  readonly data: any
}

type Send = (
  url: string,
  options: { readonly method: string; readonly headers: Record<string, string>; readonly body?: string },
) => Promise<{ text(): Promise<string> }>

/** Sends by HTTPS to a server with this certificate, which is its own authority. */
export function requestBy(ca: string): Send {
  return (url, { method, headers, body }) =>
    new Promise((resolve, reject) => {
      request(url, { method, headers, ca })
        .on('error', reject)
        .once('response', (response) => resolve({ text: () => text(response) }))
        .end(body)
    })
}

/** @param send takes the place of `fetch`. */
export function callAt(url: string, send: Send = fetch): Call {
  return async (method, path, payload = {}, token) => {
    const form = new URLSearchParams(payload).toString()
    const isGet = method === 'GET'
    const response = await send(`${url}/api${path}${isGet && form ? `?${form}` : ''}`, {
      method,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'xx-device-type': 'web',
        'idempotency-key': randomUUID(),
        ...(token ? { 'xx-token': token } : {}),
      },
      ...(isGet ? {} : { body: form }),
    })
    return JSON.parse(await response.text())
  }
}

/** A user of a release, with the token of the session. */
export interface Member {
  readonly account: PrivateKeyAccount
  readonly token: string
}

/** A new user signs in, transfers USDT in and activates. */
export async function newMember(call: Call, chain: Testnet, vault: Address, usdt = '50'): Promise<Member> {
  const account = await chain.newAccount(parseEther(usdt))
  const { address } = account
  const nonce = await call('POST', '/DappUser/getNonce', { address })
  const signature = await account.signMessage({ message: nonce.data.nonceStr })
  const login = await call('POST', '/DappUser/login', { address, signature, device_type: 'web' })
  const { token } = login.data
  const order = await call('POST', '/Wallet/buy', { asset: 'USDT', amount: usdt }, token)
  await chain.pay(vault, parseEther(usdt), { account, id: order.data.order_id as Hex })
  const deadlineMs = performance.now() + CREDIT_MS
  while ((await call('POST', '/SwapPool/activeByBalance', {}, token)).code !== 1) {
    if (performance.now() > deadlineMs) throw new Error('the payment was not credited in time')
    await wait(200)
  }
  return { account, token }
}

/** A new member swaps in the only pool. */
export async function swapOnce(call: Call, chain: Testnet, vault: Address): Promise<Member & { readonly swap: Reply }> {
  const { account, token } = await newMember(call, chain, vault)
  const deadline = new Date(Date.now() + 60_000).toISOString()
  const payload = { pool_id: 'rt-usdt', amount: '5', inverse: '1', min_amount_out: '0.1', deadline }
  return { account, token, swap: await call('POST', '/SwapPool/doSwap', payload, token) }
}

/** A member transfers USDT out, waits for the signatures and submits the voucher. @returns the units that arrived. */
export async function transferOut(
  call: Call,
  chain: Testnet,
  { account, token, amount }: Member & { readonly amount: string },
): Promise<bigint> {
  const before = await chain.usdtOf(account.address)
  const ordered = await call('POST', '/Wallet/sell', { asset: 'USDT', amount }, token)
  const find = async () => {
    const { data } = await call('POST', '/Wallet/sellOrders', {}, token)
    return data.items.find((each: { order_id: string }) => each.order_id === ordered.data.order_id)
  }
  const deadlineMs = performance.now() + CREDIT_MS
  let order = await find()
  for (; !order?.calldata; order = await find()) {
    if (performance.now() > deadlineMs) throw new Error(`the voucher was not signed in time: ${JSON.stringify(order)}`)
    await wait(200)
  }
  await chain.send(account, { to: order.to, data: order.calldata })
  return (await chain.usdtOf(account.address)) - before
}
