import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Anvil, startAnvil } from '@clearwell/server/src/platform/chain/anvil.ts'
import { createTestClient, getAddress, hashMessage, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkByNode } from './wallet-signatures.ts'

/** `isValidSignature(hash, signature)` accepts exactly the hash as its signature. */
const ACCEPTS_THE_HASH = '0x60043560643514631626ba7e0260e01b60005260206000f3'
const CONTRACT = getAddress(`0x${'c0'.repeat(20)}`)
const WALLET = privateKeyToAccount(`0x${'a1'.repeat(32)}`)
const MESSAGE = 'show my balance'

let folder: string
let anvil: Anvil
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-wallets-'))
  anvil = await startAnvil({ folder, port: 0, chainId: 31_337 })
  const client = createTestClient({ mode: 'anvil', transport: http(anvil.rpcUrl) })
  await client.setCode({ address: CONTRACT, bytecode: ACCEPTS_THE_HASH })
})
afterAll(async () => {
  await anvil.stop()
  await rm(folder, { recursive: true })
})

const check = (address: `0x${string}`, signature: `0x${string}`, rpcUrl = anvil.rpcUrl) =>
  checkByNode(rpcUrl)({ address, message: MESSAGE, signature })

test('accepts an ordinary wallet without the node', async () => {
  const signature = await WALLET.signMessage({ message: MESSAGE })
  expect(await check(WALLET.address, signature, 'http://127.0.0.1:9')).toBe(true)
  expect(await check(WALLET.address, await WALLET.signMessage({ message: 'another' }))).toBe(false)
})

test('asks the contract of a smart-contract wallet', async () => {
  expect(await check(CONTRACT, hashMessage(MESSAGE))).toBe(true)
  expect(await check(CONTRACT, hashMessage('another'))).toBe(false)
  expect(await check(CONTRACT, await WALLET.signMessage({ message: MESSAGE }))).toBe(false)
})
