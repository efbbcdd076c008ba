import { erc20Abi, type Hex, parseEther, parseUnits } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ConfigError } from '../../config/config-error.ts'
import { openLocalChain } from './local-chain.ts'
import type { DeploymentStore } from './local-deployment.store.ts'
import { openLocalWallets } from './local-wallets.ts'
import { createRpcChain, createRpcClient } from './rpc-chain.ts'
import { controlChain, deploymentsInMemory, startTestChain, type TestChain } from './testing/local-chain.ts'

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address

/** Reads an address's balances in the tokens' own units. */
async function walletOf({ anvil, local }: TestChain, address: Hex) {
  const client = createRpcClient(anvil.rpcUrl)
  const held = (token: number) =>
    client.readContract({
      address: local.custody.tokens[token]?.address as Hex,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [address],
    })
  return { BNB: await client.getBalance({ address }), USDT: await held(0), ETH: await held(1) }
}

function chainOf({ anvil, config, local }: TestChain) {
  return createRpcChain(createRpcClient(anvil.rpcUrl), config.chain.id, local.custody)
}

const LIQUIDITY = { BNB: parseEther('5000'), USDT: parseEther('7400000'), ETH: parseEther('1000') }

describe('a local chain', () => {
  let running: TestChain
  beforeAll(async () => {
    running = await startTestChain()
  })
  afterAll(() => running.stop())

  const open = (deployments: DeploymentStore) =>
    openLocalChain(running.config, createRpcClient(running.anvil.rpcUrl), running.anvil.rpcUrl, {
      deployments,
      isNewLedger: false,
    })

  test('deploys its vault and tokens once and finds them later', async () => {
    const head = await chainOf(running).head()
    const again = await open(running.deployments)
    expect(again.custody).toEqual(running.local.custody)
    expect(await chainOf(running).head()).toEqual(head)
  })

  test('rejects a ledger whose vault is missing', async () => {
    const opening = open(deploymentsInMemory())
    await expect(opening).rejects.toThrow(ConfigError)
    await expect(opening).rejects.toThrow('do not belong together')
  })

  test('a wallet offers a fifth more gas than its estimate', async () => {
    const { config, anvil } = running
    const { faucet, confirm } = openLocalWallets(config, createRpcClient(anvil.rpcUrl), anvil.rpcUrl)
    const { client } = controlChain({ rpcUrl: anvil.rpcUrl, chainId: config.chain.id })
    const gasOf = async (hash: Hex) => (await client.getTransaction({ hash })).gas
    const call = { to: newAddress(), value: 1n }
    expect(await gasOf(await confirm(faucet.sendTransaction(call)))).toBe(25_200n)
    expect(await gasOf(await confirm(faucet.sendTransaction({ ...call, gas: 21_000n })))).toBe(21_000n)
  })

  test('gives 10 BNB, 10,000 USDT and 5 ETH in separate transactions', async () => {
    const address = newAddress()
    const gifts = await running.local.faucet(address)
    expect(gifts.map(({ asset, amount }) => `${amount} ${asset}`)).toEqual(['10 BNB', '10000 USDT', '5 ETH'])
    expect(new Set(gifts.map((gift) => gift.txHash)).size).toBe(3)
    expect(await walletOf(running, address)).toEqual({
      BNB: parseEther('10'),
      USDT: parseEther('10000'),
      ETH: parseEther('5'),
    })
  })

  test('gives exactly once to each of ten concurrent callers', async () => {
    const addresses = Array.from({ length: 10 }, newAddress)
    await Promise.all(addresses.map((address) => running.local.faucet(address)))
    for (const address of addresses) {
      expect(await walletOf(running, address)).toEqual({
        BNB: parseEther('10'),
        USDT: parseEther('10000'),
        ETH: parseEther('5'),
      })
    }
  })

  test('deposits liquidity as the operator without an order', async () => {
    const chain = chainOf(running)
    const from = (await chain.head()).number + 1n
    await running.local.depositLiquidity(LIQUIDITY)
    const head = (await chain.head()).number
    const { deposits: found } = await chain.movements({ from, to: head })
    expect(found.map(({ asset, units }) => ({ asset, units }))).toEqual([
      { asset: 'USDT', units: parseEther('7400000') },
      { asset: 'ETH', units: parseEther('1000') },
      { asset: 'BNB', units: parseEther('5000') },
    ])
    expect(found.every((deposit) => deposit.account === running.local.custody.operator && !deposit.orderId)).toBe(true)
    expect(await chain.vaultHolding('USDT', head)).toBe(parseEther('7400000'))
  })

  test('moves its clock forward but never back', async () => {
    const { client } = controlChain({ rpcUrl: running.anvil.rpcUrl, chainId: running.config.chain.id })
    const before = await client.getBlock()
    const ahead = new Date((Number(before.timestamp) + 86_400) * 1000 + 400)
    await running.local.moveTo(ahead)
    const moved = await client.getBlock()
    expect(moved.timestamp).toBe(before.timestamp + 86_400n)
    expect(moved.number).toBe(before.number + 1n)
    await running.local.moveTo(new Date(ahead.getTime() - 60_000))
    expect((await client.getBlock()).number).toBe(moved.number)
  })
})

describe('a local chain whose USDT has 6 decimals, with 3 confirmations', () => {
  let running: TestChain
  beforeAll(async () => {
    running = await startTestChain(({ chain }) => {
      chain.confirmations = 3
      chain.tokens.USDT.decimals = 6
    })
  })
  afterAll(() => running.stop())

  test('gives 10,000 USDT with 6 decimals', async () => {
    const address = newAddress()
    await running.local.faucet(address)
    expect((await walletOf(running, address)).USDT).toBe(parseUnits('10000', 6))
  })

  test('deposits exact liquidity and mines the confirming blocks', async () => {
    const chain = chainOf(running)
    const from = (await chain.head()).number + 1n
    await running.local.depositLiquidity(LIQUIDITY)
    const head = (await chain.head()).number
    const { deposits: found } = await chain.movements({ from, to: head })
    expect(await chain.vaultHolding('USDT', head)).toBe(parseEther('7400000'))
    expect(found).toHaveLength(3)
    for (const deposit of found) expect(head - deposit.blockNumber + 1n).toBeGreaterThanOrEqual(3n)
  })
})

describe('a chain that lost its vault', () => {
  let running: TestChain | undefined
  afterEach(() => running?.stop())

  test('deploys a new vault only for an empty ledger', async () => {
    running = await startTestChain()
    const { config, anvil, deployments, local } = running
    const { client } = controlChain({ rpcUrl: anvil.rpcUrl, chainId: config.chain.id })
    await client.setCode({ address: local.custody.vault, bytecode: '0x' })
    const open = (isNewLedger: boolean) =>
      openLocalChain(config, createRpcClient(anvil.rpcUrl), anvil.rpcUrl, { deployments, isNewLedger })
    await expect(open(false)).rejects.toThrow('do not belong together')
    const redeployed = await open(true)
    expect(await client.getCode({ address: redeployed.custody.vault })).toBeDefined()
    expect(redeployed.custody.operator).toBe(local.custody.operator)
    expect((await deployments.read())?.vault).toBe(redeployed.custody.vault)
  })
})
