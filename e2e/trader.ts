import { type Hex, parseUnits } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { transactionsOf } from './chain.ts'

/** The response of each API call. */
export interface Envelope {
  readonly code: number
  readonly msg: string
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of the response it reads.
  readonly data: any
}

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

/** The session of an account that has signed in, and the function that makes its calls. */
export interface ApiSession extends Pick<Trader, 'call' | 'inviteCode'> {
  readonly token: string
  /** The user as the server describes them. */
  readonly user: Envelope['data']
}

interface SignInOptions {
  /** The server; the shared one if omitted. */
  readonly baseURL?: string
  /** The inviter's code. */
  readonly pid?: string
}

/** Signs the account of a key in through the API. */
export function signInByKey(key: Hex, options: SignInOptions = {}): Promise<ApiSession> {
  return signInByAccount(privateKeyToAccount(key), options)
}

/** Signs an account in through the API. */
export async function signInByAccount(
  account: PrivateKeyAccount,
  { baseURL = `http://127.0.0.1:${process.env.E2E_PORT}`, pid }: SignInOptions = {},
): Promise<ApiSession> {
  const base = `${baseURL}/api`
  let session: { readonly token: string; readonly user: Envelope['data'] } | undefined
  const call: Trader['call'] = async (path, payload = {}) => {
    const headers = {
      'XX-Device-Type': 'web',
      'Idempotency-Key': crypto.randomUUID(),
      ...(session && { 'XX-Token': session.token }),
    }
    const response = await fetch(base + path, { method: 'POST', headers, body: new URLSearchParams(payload) })
    const { code, msg, data }: Envelope = await response.json()
    if (code !== 1) throw new Error(`${path} was refused: ${msg} ${JSON.stringify(data)}`)
    return data
  }

  const { nonceStr } = await call('/DappUser/getNonce', { address: account.address })
  const signature = await account.signMessage({ message: nonceStr })
  const login = { address: account.address, signature, device_type: 'web', ...(pid && { pid }) }
  const { token, user } = await call('/DappUser/login', login)
  session = { token, user }
  return { call, inviteCode: user.invite_code, token, user }
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
