import { type PayloadInput, type ResponseOf, type RouteName, routes } from '@clearwell/api/routes'
import { createSpareGasWallet } from '@clearwell/server/src/platform/chain/spare-gas.ts'
import { createPublicClient, defineChain, erc20Abi, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const MAX_PARALLEL = 8

export interface BenchUser {
  /** The address in lower case. */
  readonly id: string
  readonly token: string
}

/** Makes users as they come to be: a wallet that signs in, money from the faucet, payments to the vault, activation. */
export async function makeUsers(baseUrl: string, count: number): Promise<BenchUser[]> {
  const { chain } = await call(baseUrl, 'config', {})
  const users: BenchUser[] = []
  let asked = 0
  const worker = async () => {
    while (asked++ < count) users.push(await makeUser(baseUrl, chain))
  }
  await Promise.all(Array.from({ length: MAX_PARALLEL }, worker))
  return users
}

async function makeUser(baseUrl: string, { id, rpc_url }: ResponseOf<'config'>['chain']): Promise<BenchUser> {
  const account = privateKeyToAccount(generatePrivateKey())
  const { address } = account
  const { nonceStr } = await call(baseUrl, 'getNonce', { address })
  const signature = await account.signMessage({ message: nonceStr })
  const { token } = await call(baseUrl, 'login', { address, signature, device_type: 'web' })
  await call(baseUrl, 'localFaucet', { address })

  const chain = defineChain({
    id,
    name: 'local',
    nativeCurrency: { name: 'BNB', symbol: 'BNB', decimals: 18 },
    rpcUrls: { default: { http: [rpc_url] } },
  })
  const client = createPublicClient({ chain, transport: http(), pollingInterval: 20 })
  const wallet = createSpareGasWallet({ account, chain, transport: http() })
  const { assets } = await call(baseUrl, 'config', {})
  for (const [asset, amount] of [
    ['USDT', '9000'],
    ['BNB', '9'],
  ] as const) {
    const order = await call(baseUrl, 'buy', { asset, amount }, token)
    const to = order.to as `0x${string}`
    const contract = assets.find((each) => each.asset === asset)?.address as `0x${string}` | null
    if (contract) {
      const args = [to, parseEther(amount)] as const
      const hash = await wallet.writeContract({ address: contract, abi: erc20Abi, functionName: 'approve', args })
      await client.waitForTransactionReceipt({ hash, checkReplacement: false })
    }
    const data = order.calldata as `0x${string}`
    const hash = await wallet.sendTransaction({ to, data, value: BigInt(order.value) })
    await client.waitForTransactionReceipt({ hash, checkReplacement: false })
    await call(baseUrl, 'retrieve', { tx_hash: hash }, token)
  }
  await call(baseUrl, 'activeByBalance', {}, token)
  return { id: address.toLowerCase(), token }
}

/** One call of the API that must succeed. */
export async function call<Name extends RouteName>(
  baseUrl: string,
  name: Name,
  payload: PayloadInput<Name>,
  token?: string,
): Promise<ResponseOf<Name>> {
  const { method, path } = routes[name]
  const response = await fetch(`${baseUrl}/api${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(token ? { 'xx-token': token } : {}) },
    ...(method === 'POST' ? { body: JSON.stringify(payload) } : {}),
  })
  const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: ResponseOf<Name> }
  if (code !== 1) throw new Error(`${name} answered ${code} ${msg}: ${JSON.stringify(data)}`)
  return data
}
