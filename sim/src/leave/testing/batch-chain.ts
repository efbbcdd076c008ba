import { type Hex, toHex } from 'viem'

/** A transaction of an account whose key the chain does not ask for. */
export interface Call {
  readonly from: Hex
  readonly to: Hex
  readonly data?: Hex
  readonly value?: bigint
}

/** Requests in one message to the node, which takes 2 MB: the call of an exit has 7 kB. */
const AT_A_TIME = 150
const GAS = '0x7a120'
const GAS_LIMIT = '0x2540be400'

export type BatchChain = Awaited<ReturnType<typeof openBatchChain>>

/** Sends many transactions in few requests and few blocks: thousands of accounts would take minutes one by one. */
export async function openBatchChain(rpcUrl: string) {
  const one = async <Value>(method: string, params: readonly unknown[] = []) => {
    const [result] = await many<Value>(rpcUrl, [{ method, params }])
    return result as Value
  }
  await one('anvil_autoImpersonateAccount', [true])
  await one('evm_setBlockGasLimit', [GAS_LIMIT])
  return {
    one,
    all: <Value>(requests: readonly Request[]) => many<Value>(rpcUrl, requests),
    /** Mines the calls, in their order for each account. @returns their hashes @throws Error if one of them failed */
    async send(calls: readonly Call[]): Promise<Hex[]> {
      const hashes: Hex[] = []
      // The node's pool of many transactions is slow.
      for (let start = 0; start < calls.length; start += AT_A_TIME)
        hashes.push(...(await mineBlock(rpcUrl, calls.slice(start, start + AT_A_TIME))))
      return hashes
    },
    async forward(seconds: number): Promise<void> {
      await one('evm_increaseTime', [seconds])
      await one('evm_mine')
    },
  }
}

async function mineBlock(rpcUrl: string, calls: readonly Call[]): Promise<Hex[]> {
  await many(rpcUrl, [{ method: 'evm_setAutomine', params: [false] }])
  const senders = [...new Set(calls.map(({ from }) => from))]
  const counts = await many<Hex>(
    rpcUrl,
    senders.map((from) => ({ method: 'eth_getTransactionCount', params: [from, 'latest'] })),
  )
  // The node takes the requests of a message in any order, so each names its place.
  const nonces = new Map(senders.map((from, i) => [from, BigInt(counts[i] as Hex)]))
  const requests = calls.map(({ from, to, data = '0x', value = 0n }) => {
    const nonce = nonces.get(from) ?? 0n
    nonces.set(from, nonce + 1n)
    const numbers = { value: toHex(value), nonce: toHex(nonce), gas: GAS }
    return { method: 'eth_sendTransaction', params: [{ from, to, data, ...numbers }] }
  })
  const hashes = await many<Hex>(rpcUrl, requests)
  await many(rpcUrl, [{ method: 'evm_mine', params: [] }])
  await many(rpcUrl, [{ method: 'evm_setAutomine', params: [true] }])
  const receipts = await many<{ status: Hex } | null>(
    rpcUrl,
    hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  )
  const failed = receipts.findIndex((receipt) => receipt?.status !== '0x1')
  if (failed !== -1) throw new Error(`transaction ${failed} failed: ${JSON.stringify(receipts[failed])}`)
  return hashes
}

interface Request {
  readonly method: string
  readonly params: readonly unknown[]
}

async function many<Value>(rpcUrl: string, requests: readonly Request[]): Promise<Value[]> {
  const results: Value[] = []
  for (let start = 0; start < requests.length; start += AT_A_TIME) {
    const batch = requests.slice(start, start + AT_A_TIME)
    const body = JSON.stringify(batch.map((each, id) => ({ jsonrpc: '2.0', id, ...each })))
    const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    const answers = (await response.json()) as { id: number; result?: Value; error?: { message: string } }[]
    for (const { result, error } of answers.toSorted((a, b) => a.id - b.id)) {
      if (error) throw new Error(error.message)
      results.push(result as Value)
    }
  }
  return results
}
