import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeFunctionResult, numberToHex, parseAbi } from 'viem'

const aggregatorAbi = parseAbi([
  'function decimals() view returns (uint8)',
  'function description() view returns (string)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
])
/** The first four bytes of each function's hash. */
const DECIMALS_SELECTOR = '0x313ce567'
const DESCRIPTION_SELECTOR = '0x7284e416'

/** The state of a feed's contract. Times are in seconds. */
export interface TestRound {
  /** The feed's name in its contract. */
  description: string
  decimals: number
  roundId: bigint
  answer: bigint
  updatedAt: bigint
  answeredInRound: bigint
}

/** A chain's node on this machine that has price feeds, honest or not. */
export interface TestFeeds {
  readonly rpcUrl: string
  /** At the last block, by the contract's address in lower case. A call at an earlier block reads those of that block. */
  readonly rounds: Map<string, TestRound>
  chainId: number
  /** Its last block. A test sets it before the rounds that it writes there. */
  block: { number: bigint; timeS: bigint }
  /** Replaces the node's response: with a text, or with none if `text` is `undefined`. */
  lie: ((method: string) => { text: string | undefined } | undefined) | undefined
  /** The block that each contract was asked at. */
  readonly askedAt: string[]
  readonly requests: number
  stop(): Promise<void>
}

interface RpcQuestion {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

export async function startTestFeeds(): Promise<TestFeeds> {
  const askedAt: string[] = []
  let requests = 0
  let block = { number: 1n, timeS: 0n }
  const rounds = new Map<string, TestRound>()
  const roundsBefore = new Map<bigint, ReadonlyMap<string, TestRound>>()
  const roundsAt = (number: bigint) => (number === block.number ? rounds : (roundsBefore.get(number) ?? rounds))

  function respond({ id, method, params }: RpcQuestion) {
    const reply = (result: unknown) => ({ jsonrpc: '2.0', id, result })
    if (method === 'eth_chainId') return reply(numberToHex(feeds.chainId))
    if (method === 'eth_getBlockByNumber') {
      const { number, timeS } = block
      return reply({ number: numberToHex(number), hash: `0x${'ab'.repeat(32)}`, timestamp: numberToHex(timeS) })
    }
    const [{ to, data }, at] = params as [{ to: string; data: string }, string]
    askedAt.push(at)
    const round = roundsAt(BigInt(at)).get(to.toLowerCase())
    // A missing contract returns nothing.
    if (!round) return reply('0x')
    if (data.startsWith(DECIMALS_SELECTOR)) {
      return reply(encodeFunctionResult({ abi: aggregatorAbi, functionName: 'decimals', result: round.decimals }))
    }
    if (data.startsWith(DESCRIPTION_SELECTOR)) {
      return reply(encodeFunctionResult({ abi: aggregatorAbi, functionName: 'description', result: round.description }))
    }
    const { roundId, answer, updatedAt, answeredInRound } = round
    const result = [roundId, answer, updatedAt, updatedAt, answeredInRound] as const
    return reply(encodeFunctionResult({ abi: aggregatorAbi, functionName: 'latestRoundData', result }))
  }

  const server = createServer(async (request, response) => {
    requests += 1
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const questions = JSON.parse(Buffer.concat(chunks).toString()) as RpcQuestion | RpcQuestion[]
    const [first] = Array.isArray(questions) ? questions : [questions]
    const lie = feeds.lie?.(first?.method ?? '')
    if (lie?.text === undefined && lie) return
    const honest = Array.isArray(questions) ? questions.map(respond) : respond(questions)
    response.setHeader('content-type', 'application/json').end(lie?.text ?? JSON.stringify(honest))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const feeds: TestFeeds = {
    rpcUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/s3cret`,
    rounds,
    chainId: 56,
    get block() {
      return block
    },
    set block(next) {
      roundsBefore.set(block.number, new Map(rounds))
      block = next
    },
    lie: undefined,
    askedAt,
    get requests() {
      return requests
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return feeds
}
