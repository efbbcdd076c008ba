import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { nativeAsset } from '@clearwell/vault/abi/withdrawal-typed-data'
import { zeroAddress } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConfigError } from '../../config/config-error.ts'
import { loadConfig } from '../../load-config.ts'
import { createRpcClient } from '../chain/rpc-chain.ts'
import { controlChain, startTestChain, type TestChain } from '../chain/testing/local-chain.ts'
import { refuseCapsAboveVault, signerAccount, signerAssets } from './open-signer.ts'

let chain: TestChain
beforeAll(async () => {
  chain = await startTestChain(({ chain, withdrawals }) => {
    chain.tokens.USDT.decimals = 6
    withdrawals.caps.USDT = { perVoucher: '10.0000019', perAccountPerDay: '15', perDay: '20' }
  })
})
afterAll(() => chain.stop())

test("the signer uses SIGNER_KEY, or the local chain's key by default", async () => {
  const key = `0x${'5'.repeat(64)}` as const
  expect(signerAccount(await loadConfig({ SIGNER_KEY: key })).address).toBe(privateKeyToAccount(key).address)
  const { address } = signerAccount(chain.config)
  const client = createRpcClient(chain.anvil.rpcUrl)
  const vault = { address: chain.local.custody.vault, abi: clearwellVaultAbi } as const
  expect(await client.readContract({ ...vault, functionName: 'signer' })).toBe(address)
})

test('caps are converted to the token’s own units and rounded down', () => {
  const assets = signerAssets(chain.config, chain.local.custody)
  expect(assets.map(({ asset }) => asset)).toEqual(['BNB', 'USDT', 'ETH'])
  expect(assets[0]).toMatchObject({ token: nativeAsset, perVoucher: 1_000n * 10n ** 18n, perDay: 5_000n * 10n ** 18n })
  expect(assets[1]).toMatchObject({ perVoucher: 10_000_001n, perAccountPerDay: 15_000_000n, perDay: 20_000_000n })
})

test('the start refuses caps above the vault’s limits', async () => {
  const { vault } = chain.local.custody
  const client = createRpcClient(chain.anvil.rpcUrl)
  const assets = signerAssets(chain.config, chain.local.custody)
  await refuseCapsAboveVault(client, { vault }, assets)
  const owner = mnemonicToAccount('test test test test test test test test test test test junk')
  const control = controlChain({ rpcUrl: chain.anvil.rpcUrl, chainId: chain.config.chain.id })
  const wallet = control.wallet(owner)
  const perVoucher = 1_000n * 10n ** 18n
  const limits = {
    abi: clearwellVaultAbi,
    functionName: 'setLimits',
    args: [zeroAddress, perVoucher, perVoucher],
  } as const
  await control.receipt(await wallet.writeContract({ address: vault, ...limits, account: owner, chain: wallet.chain }))
  await expect(refuseCapsAboveVault(client, { vault }, assets)).rejects.toThrow(
    new ConfigError("withdrawals.caps.BNB.perDay exceeds the vault's limit: the vault would not pay all vouchers."),
  )
  // An address without the contract refuses nothing, and a node that does not answer is not asked about it.
  await refuseCapsAboveVault(client, { vault: `0x${'9'.repeat(40)}` }, assets)
  const silent = createRpcClient('http://127.0.0.1:1')
  await expect(refuseCapsAboveVault(silent, { vault }, assets)).rejects.toThrow('did not answer')
})
