import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { testTokenAbi, testTokenBytecode } from '@clearwell/vault/abi/test-token'
import { createPublicClient, custom, encodeFunctionData, erc20Abi, type Hex, parseEther, zeroAddress } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chain, ChainDeposit } from './chain.ts'
import { localSignerAccount } from './local-wallets.ts'
import { createRpcChain, createRpcClient } from './rpc-chain.ts'
import { controlChain, startTestChain, type TestChain } from './testing/local-chain.ts'
import { vaultDeposit } from './vault-deposit.ts'

const ORDER = `0x${'7'.repeat(64)}` as const
const USDT = 10n ** 6n
const E18 = 10n ** 18n

let running: TestChain
let chain: Chain
let control: ReturnType<typeof controlChain>
let vault: Hex
let usdt: Hex
let eth: Hex

beforeAll(async () => {
  // USDT as it is on Ethereum: with 6 decimals.
  running = await startTestChain((config) => Object.assign(config.chain.tokens.USDT, { decimals: 6 }))
  const { anvil, config, local } = running
  control = controlChain({ rpcUrl: anvil.rpcUrl, chainId: config.chain.id })
  chain = createRpcChain(createRpcClient(anvil.rpcUrl), config.chain.id, local.custody)
  vault = local.custody.vault
  ;[usdt, eth] = local.custody.tokens.map((token) => token.address) as [Hex, Hex]
})
afterAll(() => running.stop())

/** A wallet with test money, and the ways in which it can pay. */
async function newPayer() {
  const account = privateKeyToAccount(generatePrivateKey())
  const wallet = control.wallet(account)
  await running.local.faucet(account.address)
  const send = async (call: { to: Hex; data?: Hex; value?: bigint; gas?: bigint }) =>
    control.receipt(await wallet.sendTransaction({ ...call, account, chain: wallet.chain }))
  const token = (address: Hex, functionName: 'approve' | 'transfer', to: Hex, units: bigint) =>
    send({ to: address, data: encodeFunctionData({ abi: erc20Abi, functionName, args: [to, units] }) })
  return {
    id: account.address.toLowerCase(),
    account,
    wallet,
    send,
    approve: (address: Hex, spender: Hex, units: bigint) => token(address, 'approve', spender, units),
    transfer: (address: Hex, to: Hex, units: bigint) => token(address, 'transfer', to, units),
  }
}

/** Reads the movements in the blocks of these receipts. */
async function depositsOfBlocks(...receipts: readonly { blockNumber: bigint }[]): Promise<readonly ChainDeposit[]> {
  const numbers = receipts.map((receipt) => receipt.blockNumber)
  const [from, to] = [numbers[0] as bigint, numbers.at(-1) as bigint]
  return (await chain.movements({ from, to })).deposits
}

test('native payments belong to their sender, with or without an order', async () => {
  const payer = await newPayer()
  const ordered = await payer.send(vaultDeposit({ vault, token: null, units: 5n, orderId: ORDER }))
  const plain = await payer.send({ to: vault, value: 6n })
  const found = await depositsOfBlocks(ordered, plain)
  expect(found).toEqual([
    {
      txHash: ordered.transactionHash,
      logIndex: 0,
      blockNumber: ordered.blockNumber,
      blockHash: ordered.blockHash,
      account: payer.id,
      asset: 'BNB',
      units: 5n,
      orderId: ORDER,
    },
    expect.objectContaining({ txHash: plain.transactionHash, account: payer.id, units: 6n, orderId: null }),
  ])
})

test('a token payment counts once although two events report it', async () => {
  const payer = await newPayer()
  await payer.approve(eth, vault, E18)
  const receipt = await payer.send(vaultDeposit({ vault, token: eth, units: E18, orderId: ORDER }))
  expect(receipt.logs.length).toBeGreaterThanOrEqual(2)
  const found = await depositsOfBlocks(receipt)
  expect(found).toEqual([expect.objectContaining({ asset: 'ETH', units: E18, orderId: ORDER, account: payer.id })])
})

test('a plain token transfer is a payment without an order', async () => {
  const payer = await newPayer()
  const receipt = await payer.transfer(eth, vault, 77n)
  expect(await depositsOfBlocks(receipt)).toEqual([
    expect.objectContaining({ asset: 'ETH', units: 77n, orderId: null, account: payer.id }),
  ])
})

test('a transfer to a token contract is no payment and hides none', async () => {
  const payer = await newPayer()
  const astray = await payer.transfer(eth, eth, 3n)
  const elsewhere = await payer.transfer(usdt, eth, 4n)
  const paid = await payer.transfer(eth, vault, 5n)
  expect(await depositsOfBlocks(astray, elsewhere, paid)).toEqual([
    expect.objectContaining({ txHash: paid.transactionHash, asset: 'ETH', units: 5n, account: payer.id }),
  ])
})

test('a token with 6 decimals is converted to 18 everywhere', async () => {
  const payer = await newPayer()
  const { number: before } = await chain.head()
  await payer.approve(usdt, vault, 12_345_678n)
  const ordered = await payer.send(vaultDeposit({ vault, token: usdt, units: 12_345_678n, orderId: null }))
  const plain = await payer.transfer(usdt, vault, 1n)
  expect((await depositsOfBlocks(ordered, plain)).map((deposit) => deposit.units)).toEqual([
    parseEther('12.345678'),
    parseEther('0.000001'),
  ])
  const held = (await chain.vaultHolding('USDT', plain.blockNumber)) - (await chain.vaultHolding('USDT', before))
  expect(held).toBe(parseEther('12.345679'))
})

test('two plain transfers in one transaction are two payments of their owner', async () => {
  const payer = await newPayer()
  const contract = privateKeyToAccount(generatePrivateKey()).address
  const pull = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transferFrom',
    args: [payer.account.address, vault, 3n * USDT],
  })
  await control.putCalls(contract, [
    { to: usdt, data: pull },
    { to: usdt, data: pull },
  ])
  await payer.approve(usdt, contract, 6n * USDT)
  const receipt = await payer.send({ to: contract, gas: 500_000n })
  const found = await depositsOfBlocks(receipt)
  expect(found.map(({ account, units }) => ({ account, units }))).toEqual([
    { account: payer.id, units: 3n * E18 },
    { account: payer.id, units: 3n * E18 },
  ])
  expect(new Set(found.map((deposit) => deposit.logIndex)).size).toBe(2)
  expect(await chain.movementsOf(receipt.transactionHash)).toMatchObject({ status: 'mined', deposits: found })
})

test('a deposit and a plain transfer in one block stay separate', async () => {
  const [payer, other] = [await newPayer(), await newPayer()]
  await payer.approve(usdt, vault, 5n * USDT)
  await control.client.setAutomine(false)
  const hashes = [
    await other.wallet.writeContract({
      address: usdt,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [vault, 2n * USDT],
      account: other.account,
      chain: other.wallet.chain,
    }),
    await payer.wallet.sendTransaction({
      ...vaultDeposit({ vault, token: usdt, units: 5n * USDT, orderId: ORDER }),
      account: payer.account,
      chain: payer.wallet.chain,
      gas: 300_000n,
    }),
    await payer.wallet.writeContract({
      address: usdt,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [vault, 1n * USDT],
      account: payer.account,
      chain: payer.wallet.chain,
      gas: 100_000n,
    }),
  ]
  await control.mine(1)
  await control.client.setAutomine(true)
  const receipts = await Promise.all(hashes.map(control.receipt))
  expect(new Set(receipts.map((receipt) => receipt.blockNumber)).size).toBe(1)
  const found = await depositsOfBlocks(receipts[0] as { blockNumber: bigint })
  const byTx = (index: number) => found.filter((deposit) => deposit.txHash === hashes[index])
  expect(byTx(0)).toEqual([expect.objectContaining({ account: other.id, units: 2n * E18, orderId: null })])
  expect(byTx(1)).toEqual([expect.objectContaining({ account: payer.id, units: 5n * E18, orderId: ORDER })])
  expect(byTx(2)).toEqual([expect.objectContaining({ account: payer.id, units: 1n * E18, orderId: null })])
  const indexes = found.map((deposit) => deposit.logIndex)
  expect(indexes).toEqual(indexes.toSorted((a, b) => a - b))
})

test('two transfers around a deposit in one transaction are three payments', async () => {
  const payer = await newPayer()
  const contract = privateKeyToAccount(generatePrivateKey()).address
  await payer.transfer(usdt, contract, 7n * USDT)
  const token = (functionName: 'approve' | 'transfer', units: bigint) => ({
    to: usdt,
    data: encodeFunctionData({ abi: erc20Abi, functionName, args: [vault, units] }),
  })
  await control.putCalls(contract, [
    token('approve', 4n * USDT),
    token('transfer', USDT),
    vaultDeposit({ vault, token: usdt, units: 4n * USDT, orderId: ORDER }),
    token('transfer', 2n * USDT),
  ])
  const receipt = await payer.send({ to: contract, gas: 500_000n })
  const found = await depositsOfBlocks(receipt)
  expect(found.map(({ units, orderId }) => ({ units, orderId }))).toEqual([
    { units: E18, orderId: null },
    { units: 4n * E18, orderId: ORDER },
    { units: 2n * E18, orderId: null },
  ])
  expect(new Set(found.map((deposit) => deposit.account))).toEqual(new Set([contract.toLowerCase()]))
})

test('an unlisted token is no payment even if the vault accepts it', async () => {
  const payer = await newPayer()
  const operator = operatorWallet()
  const deployed = await control.receipt(
    await operator.deployContract({
      abi: testTokenAbi,
      bytecode: testTokenBytecode,
      args: ['Other', 'OTH', 18, operator.account.address],
    }),
  )
  const other = deployed.contractAddress as Hex
  for (const call of [
    { address: other, abi: testTokenAbi, functionName: 'mint', args: [payer.account.address, 100n] },
    { address: vault, abi: clearwellVaultAbi, functionName: 'setLimits', args: [other, 100n, 100n] },
  ] as const) {
    await control.receipt(await operator.writeContract(call as never))
  }
  await payer.approve(other, vault, 50n)
  const ordered = await payer.send(vaultDeposit({ vault, token: other, units: 50n, orderId: ORDER }))
  const plain = await payer.transfer(other, vault, 50n)
  expect(ordered.status).toBe('success')
  expect(await depositsOfBlocks(ordered, plain)).toEqual([])
  expect(await chain.movementsOf(ordered.transactionHash)).toMatchObject({ status: 'mined', deposits: [] })
})

test('a transfer of zero is no payment', async () => {
  const payer = await newPayer()
  const receipt = await payer.transfer(usdt, vault, 0n)
  expect(receipt.logs).toHaveLength(1)
  expect(await depositsOfBlocks(receipt)).toEqual([])
})

test('a transaction is unknown, failed, unrelated, or mined with its payments', async () => {
  const payer = await newPayer()
  expect(await chain.movementsOf(`0x${'0'.repeat(64)}`)).toEqual({ status: 'not_found' })
  const failed = await payer.send({
    ...vaultDeposit({ vault, token: usdt, units: 999n * USDT, orderId: ORDER }),
    gas: 200_000n,
  })
  expect(failed.status).toBe('reverted')
  expect(await chain.movementsOf(failed.transactionHash)).toEqual({ status: 'failed' })
  const elsewhere = await payer.transfer(usdt, payer.account.address, 1n)
  expect(await chain.movementsOf(elsewhere.transactionHash)).toMatchObject({ status: 'mined', deposits: [] })
  const paid = await payer.send({ to: vault, value: 9n })
  expect(await chain.movementsOf(paid.transactionHash)).toMatchObject({
    status: 'mined',
    block: { number: paid.blockNumber, hash: paid.blockHash },
    deposits: [{ units: 9n, account: payer.id }],
  })
})

test('the head is the newest block and a missing block is undefined', async () => {
  const head = await chain.head()
  expect(await chain.block(head.number)).toEqual(head)
  expect(await chain.block(head.number + 1n)).toBeUndefined()
  await control.mine(1)
  expect((await chain.head()).number).toBe(head.number + 1n)
})

test("the log filter excludes other people's transfers of a token", async () => {
  const [payer, stranger] = [await newPayer(), await newPayer()]
  const first = await payer.transfer(usdt, stranger.account.address, 1n)
  for (let index = 0; index < 4; index++) await payer.transfer(usdt, stranger.account.address, 1n)
  await payer.approve(usdt, vault, 2n * USDT)
  const ordered = await payer.send(vaultDeposit({ vault, token: usdt, units: 2n * USDT, orderId: ORDER }))
  const acknowledged: unknown[] = []
  const watching = createPublicClient({
    transport: custom({
      async request({ method, params }) {
        const response = await control.client.request({ method, params })
        if (method === 'eth_getLogs') acknowledged.push(...(response as unknown[]))
        return response
      },
    }),
  })
  const asking = createRpcChain(watching, running.config.chain.id, running.local.custody)
  const { deposits: found } = await asking.movements({ from: first.blockNumber, to: ordered.blockNumber })
  expect(found).toEqual([expect.objectContaining({ units: 2n * E18, orderId: ORDER })])
  // The transfer into the vault and the vault's own event.
  expect(acknowledged).toHaveLength(2)
})

test('a paid voucher is a withdrawal and uses its nonce', async () => {
  const payer = await newPayer()
  const signer = control.wallet(localSignerAccount())
  await payer.transfer(usdt, vault, 9n * USDT)
  const withdraw = async (asset: Hex, amount: bigint, nonce: bigint) => {
    const deadline = (await control.client.getBlock()).timestamp + 600n
    const voucher = { account: payer.account.address, asset, amount, nonce, deadline }
    const signature = await signer.signTypedData({
      account: localSignerAccount(),
      domain: { name: 'Clearwell Vault', version: '1', chainId: running.config.chain.id, verifyingContract: vault },
      types: {
        Withdrawal: [
          { name: 'account', type: 'address' },
          { name: 'asset', type: 'address' },
          { name: 'amount', type: 'uint256' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      primaryType: 'Withdrawal',
      message: voucher,
    })
    const args = [voucher, signature] as const
    return payer.send({
      to: vault,
      data: encodeFunctionData({ abi: clearwellVaultAbi, functionName: 'withdraw', args }),
    })
  }
  await payer.send({ to: vault, value: 5n })
  const native = await withdraw(zeroAddress, 3n, 41n)
  const token = await withdraw(usdt, 2n * USDT, 2n ** 200n)
  const found = await chain.movements({ from: native.blockNumber, to: token.blockNumber })
  expect(found.deposits).toEqual([])
  expect(found.withdrawals).toEqual([
    {
      txHash: native.transactionHash,
      logIndex: 0,
      blockNumber: native.blockNumber,
      blockHash: native.blockHash,
      account: payer.id,
      asset: 'BNB',
      units: 3n,
      nonce: 41n,
    },
    expect.objectContaining({ txHash: token.transactionHash, asset: 'USDT', units: 2n * E18, nonce: 2n ** 200n }),
  ])
  expect(await chain.movementsOf(token.transactionHash)).toMatchObject({
    status: 'mined',
    deposits: [],
    withdrawals: [{ units: 2n * E18 }],
  })
  expect(await chain.isNonceUsed(41n, native.blockNumber - 1n)).toBe(false)
  expect(await chain.isNonceUsed(41n, native.blockNumber)).toBe(true)
})

test("the vault's switches are read at the current block", async () => {
  const signer = localSignerAccount().address.toLowerCase()
  expect(await chain.vaultState()).toEqual({ isPaused: false, signer })
  const operator = operatorWallet()
  const call = (functionName: 'pause' | 'unpause') =>
    operator.writeContract({ address: vault, abi: clearwellVaultAbi, functionName }).then(control.receipt)
  await call('pause')
  expect(await chain.vaultState()).toEqual({ isPaused: true, signer })
  await call('unpause')
})

test('the vault holds zero of an asset without a token', async () => {
  expect(await chain.vaultHolding('RT', (await chain.head()).number)).toBe(0n)
})

/** The owner of the vault. */
function operatorWallet() {
  const account = mnemonicToAccount('test test test test test test test test test test test junk')
  expect(account.address.toLowerCase()).toBe(running.local.custody.operator)
  return { ...control.wallet(account), account }
}
