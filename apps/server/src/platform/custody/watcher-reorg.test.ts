import { type Hex, parseEther } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Chain } from '../chain/chain.ts'
import { createRpcChain, createRpcClient } from '../chain/rpc-chain.ts'
import { controlChain, startTestChain, type TestChain } from '../chain/testing/local-chain.ts'
import { createSimulatedChain, simulatedPayment } from '../chain/testing/simulated-chain.ts'
import { openWatcherBench, type WatcherBench } from './testing/watcher.ts'
import type { Watcher } from './watcher.ts'

const DEPTHS = Array.from({ length: 20 }, (_, index) => index + 1)
const BYSTANDER = mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex: 5 })

let bench: WatcherBench
beforeAll(async () => {
  bench = await openWatcherBench()
})
afterAll(() => bench.close())

/** A real chain for the tests of one `describe`. Anvil discards old states, so a long chain cannot go far back. */
function useRealChain() {
  let running: TestChain
  let control: ReturnType<typeof controlChain>
  let chain: Chain
  beforeAll(async () => {
    running = await startTestChain()
    control = controlChain({ rpcUrl: running.anvil.rpcUrl, chainId: running.config.chain.id })
    chain = createRpcChain(createRpcClient(running.anvil.rpcUrl), running.config.chain.id, running.local.custody)
  })
  afterAll(() => running.stop())
  return {
    /** A watcher of blocks mined from now on, with its own cursor. */
    async watch(cursorId: number, confirmations: number): Promise<Watcher> {
      const { number } = await chain.head()
      return bench.watch({ ...chain, id: cursorId }, { confirmations, startBlock: number })
    },
    /** A payment of 5 by a new wallet, at the given depth. */
    async payAndMine(depth: number) {
      const account = privateKeyToAccount(generatePrivateKey())
      await control.client.setBalance({ address: account.address, value: parseEther('1') })
      const wallet = control.wallet(account)
      const to = running.local.custody.vault
      const hash = await wallet.sendTransaction({ to, value: 5n, account, chain: wallet.chain })
      const receipt = await control.receipt(hash)
      expect(receipt.logs).toHaveLength(1)
      const raw = await control.rawTransaction(hash)
      if (depth > 1) await control.mine(depth - 1)
      return { user: account.address.toLowerCase(), hash, raw, block: receipt.blockNumber }
    },
    /** Replaces the last blocks, down to that one, by blocks without their transactions. */
    async replace(depth: number, from: bigint): Promise<void> {
      const before = await control.hashOf(from)
      const other = { from: BYSTANDER.address, to: BYSTANDER.address, value: '0x1' }
      await control.client.request({ method: 'anvil_reorg', params: [depth, [[other, 0]]] } as never)
      await control.client.request({ method: 'anvil_dropAllTransactions', params: [] } as never)
      expect(await control.hashOf(from)).not.toBe(before)
    },
    mine: (blocks: number) => control.mine(blocks),
    async sendAgain(raw: Hex): Promise<void> {
      await control.receipt(await control.sendRaw(raw))
    },
  }
}

describe('on a real chain, within the confirmations', () => {
  const chain = useRealChain()

  test.each(DEPTHS)('a reorg of %i blocks neither loses nor repeats a credit', async (depth) => {
    const watcher = await chain.watch(10_000 + depth, depth + 1)
    const payment = await chain.payAndMine(depth)
    await watcher.poll()
    expect(await bench.available(payment.user, 'BNB')).toBe(0n)
    await chain.replace(depth, payment.block)
    await watcher.poll()
    await chain.mine(depth + 1)
    await watcher.poll()
    expect(await watcher.lookUp(payment.hash)).toEqual({ status: 'not_found' })
    expect(await bench.available(payment.user, 'BNB')).toBe(0n)
    await chain.sendAgain(payment.raw)
    await chain.mine(depth)
    await watcher.poll()
    await watcher.poll()
    expect(await bench.available(payment.user, 'BNB')).toBe(5n)
    expect(watcher.halted).toBeUndefined()
    expect(bench.alarms).toEqual([])
  })
})

describe('on a real chain, as deep as the confirmations', () => {
  const chain = useRealChain()

  test.each(DEPTHS)('a reorg of %i blocks halts the watcher with an alarm', async (depth) => {
    const watcher = await chain.watch(20_000 + depth, depth)
    const payment = await chain.payAndMine(depth)
    await watcher.poll()
    expect(await bench.available(payment.user, 'BNB')).toBe(5n)
    await chain.replace(depth, payment.block)
    await watcher.poll()
    await chain.sendAgain(payment.raw)
    await chain.mine(depth + 1)
    await watcher.poll()
    expect(watcher.halted).toContain(`block ${payment.block} was`)
    expect(bench.alarms.splice(0)).toEqual([{ error: expect.any(Error), task: 'watcher halted' }])
    expect(await bench.available(payment.user, 'BNB')).toBe(5n)
  })
})

describe('on a simulated chain', () => {
  const payer = (id: number) => `0x${id.toString(16).padStart(40, 'c')}`

  test.each(DEPTHS.flatMap((depth) => [1, 2, 3, 5, 8, 13, 20].map((confirmations) => [depth, confirmations] as const)))(
    'a payment moved %i deep after %i confirmations is credited once',
    async (depth, confirmations) => {
      const id = 30_000 + depth * 100 + confirmations
      const chain = createSimulatedChain(id)
      const watcher = bench.watch(chain, { confirmations })
      chain.mineEmpty(25)
      const payment = simulatedPayment(`reorg ${id}`, { account: payer(id), asset: 'USDT', units: 9n })
      chain.mine(payment)
      chain.mineEmpty(depth)
      await watcher.poll()
      const isCredited = depth + 1 >= confirmations
      expect(await bench.available(payer(id), 'USDT')).toBe(isCredited ? 9n : 0n)
      // One deeper than the blocks above the payment, so the payment itself is removed.
      const taken = chain.reorg(depth + 1)
      chain.mineEmpty(1)
      await watcher.poll()
      chain.mine(
        simulatedPayment(`neighbour ${id}`, { account: payer(id + 1_000_000), asset: 'USDT', units: 1n }),
        ...taken,
      )
      chain.mineEmpty(depth + confirmations)
      await watcher.poll()
      await watcher.poll()
      expect(await bench.available(payer(id), 'USDT')).toBe(9n)
      expect(watcher.halted === undefined).toBe(!isCredited)
      const halts = bench.alarms.splice(0).filter(({ task }) => task === 'watcher halted')
      expect(halts).toHaveLength(isCredited ? 1 : 0)
    },
  )
})
