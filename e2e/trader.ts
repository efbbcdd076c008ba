import { type Hex, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { transactionsOf } from './chain.ts'
import type { Envelope } from './people.ts'

/** An activated user who uses only the API and the chain, without a browser. */
export interface Trader {
  readonly key: Hex
  /** Others sign in with it as `pid`. */
  readonly inviteCode: string
  /** Makes an API call and returns its data. @throws if the server refuses. */
  call(path: string, payload?: Payload): Promise<Envelope['data']>
  /** Swaps at any price. `inverse` buys the first asset of the pair with the second. */
  swap(wish: { pool: string; amount: string; inverse: boolean }): Promise<Envelope['data']>
}

type Payload = Readonly<Record<string, string>>

export interface TraderOptions {
  /** Amounts that plain transfers pay into the vault. The activation takes its price from the USDT. */
  readonly USDT: string
  readonly BNB?: string
  /** `false` leaves the account without activation. */
  readonly activates?: boolean
  /** The inviter's code. */
  readonly pid?: string
  /** The server and its chain; the shared ones if omitted. */
  readonly baseURL?: string
  readonly chainPort?: number
}

/** Signs an account in through the API. @returns the function that makes its calls, and its invite code. */
export async function signInByKey(
  key: Hex,
  { baseURL = `http://127.0.0.1:${process.env.E2E_PORT}`, pid }: { baseURL?: string; pid?: string } = {},
): Promise<Pick<Trader, 'call' | 'inviteCode'>> {
  const account = privateKeyToAccount(key)
  const base = `${baseURL}/api`
  let token: string | undefined
  const call: Trader['call'] = async (path, payload = {}) => {
    const headers = {
      'XX-Device-Type': 'web',
      'Idempotency-Key': crypto.randomUUID(),
      ...(token && { 'XX-Token': token }),
    }
    const response = await fetch(base + path, { method: 'POST', headers, body: new URLSearchParams(payload) })
    const { code, msg, data }: Envelope = await response.json()
    if (code !== 1) throw new Error(`${path} was refused: ${msg} ${JSON.stringify(data)}`)
    return data
  }

  const { nonceStr } = await call('/DappUser/getNonce', { address: account.address })
  const signature = await account.signMessage({ message: nonceStr })
  const login = { address: account.address, signature, device_type: 'web', ...(pid && { pid }) }
  const response = await call('/DappUser/login', login)
  token = response.token
  return { call, inviteCode: response.user.invite_code }
}

export async function newTrader(options: TraderOptions): Promise<Trader> {
  const { USDT, BNB, activates = true, baseURL, chainPort, pid } = options
  const key = generatePrivateKey()
  const account = privateKeyToAccount(key)
  const base = `${baseURL ?? `http://127.0.0.1:${process.env.E2E_PORT}`}/api`
  const { call, inviteCode } = await signInByKey(key, { ...(baseURL && { baseURL }), ...(pid && { pid }) })
  await call('/Local/faucet', { address: account.address })
  const { vault, assets } = ((await (await fetch(`${base}/config`)).json()) as Envelope).data
  const { address: usdt } = assets.find((each: { asset: string }) => each.asset === 'USDT')
  const own = transactionsOf(account, chainPort)
  const paid = [await own.transfer(usdt, vault, parseUnits(USDT, 18))]
  if (BNB !== undefined) paid.push(await own.pay(vault, parseUnits(BNB, 18)))
  // Credits the payments, unless the watcher already has.
  for (const hash of paid) await call('/Wallet/retrieve', { tx_hash: hash })
  if (activates) await call('/SwapPool/activeByBalance')
  return {
    key,
    inviteCode,
    call,
    async swap({ pool, amount, inverse }) {
      const { time } = ((await (await fetch(`${base}/config`)).json()) as Envelope).data
      const deadline = new Date(Date.parse(time) + 600_000).toISOString()
      const wish = { pool_id: pool, amount, inverse: inverse ? '1' : '0', min_amount_out: '0', deadline }
      return call('/SwapPool/doSwap', wish)
    },
  }
}
