import type { Hex } from '@clearwell/proofs/bytes'
import { createPublicClient, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDueHeader } from '../../domain/proofs/make-headers.ts'
import { findNewestRoot, readBoxDayUpTo } from '../../domain/proofs/signed-roots.ts'
import {
  OPERATOR,
  openProofLedger,
  type ProofLedger,
  ROOT_KEY,
  SETTINGS,
} from '../../domain/proofs/testing/proof-ledger.ts'
import { createPostingChain, type PostingChain } from '../../platform/chain/exit-vault-post.ts'
import {
  EXIT_CHAIN_ID,
  type ExitVaultChain,
  startExitVaultChain,
} from '../../platform/chain/testing/exit-vault-chain.ts'
import { createInFlightStore } from './in-flight.store.ts'
import { createPoster } from './poster.ts'

const account = privateKeyToAccount(generatePrivateKey())

let chain: ExitVaultChain
let ledger: ProofLedger
let posting: PostingChain
beforeAll(async () => {
  chain = await startExitVaultChain({ rootKey: ROOT_KEY.address, payout: OPERATOR as Hex })
  const tokens = { ...SETTINGS.tokens, ...chain.tokens }
  ledger = await openProofLedger({ ...SETTINGS, domain: { chainId: EXIT_CHAIN_ID, vault: chain.vault }, tokens })
  await chain.give(account.address, parseEther('1'))
  const client = createPublicClient({ transport: http(chain.rpcUrl), cacheTime: 0 })
  posting = createPostingChain({ client, chainId: EXIT_CHAIN_ID, vault: chain.vault, account })
})
afterAll(async () => {
  await ledger.close()
  await chain.stop()
})

const troubles: string[] = []
const mined: boolean[] = []
/** As a leader that has just started. */
const step = (on: PostingChain = posting) =>
  createPoster({
    ...{ chain: on, store: createInFlightStore(ledger.db, EXIT_CHAIN_ID), clock: ledger.clock },
    newestSigned: () => findNewestRoot(ledger.db),
    boxDayUpTo: (number) => readBoxDayUpTo(ledger.db, number),
    onMined: ({ isSuccess }) => mined.push(isSuccess),
    onTrouble: (message) => troubles.push(message),
  }).step()

/** Makes a header of the ledger at the time of the chain, with both signatures. */
async function makeHeader(): Promise<bigint> {
  ledger.clock.at = await chain.time()
  await ledger.run({ what: 'cursor', user: 0, asset: 'BNB', units: 0n })
  const askBookkeeper = async ({ hash }: { hash: Hex }) => ({ signature: await chain.bookkeeper.sign({ hash }) })
  const number = await makeDueHeader({ ...ledger.server(), askBookkeeper }, { force: true })
  return number as bigint
}

/** Waits until what was sent is mined: the chain answers before it is. */
async function whenMined(): Promise<void> {
  const { address } = account
  const count = (blockTag: 'latest' | 'pending') => chain.client.getTransactionCount({ address, blockTag })
  await expect.poll(async () => (await count('pending')) - (await count('latest'))).toBe(0)
}

async function newest() {
  await whenMined()
  return (await posting.newestRoot())?.number
}

test('the vault takes the newest header, then one an hour later', async () => {
  expect(await step()).toBe('no_header')
  const first = await makeHeader()
  expect(await step()).toBe('posted_root')
  expect(await newest()).toBe(first)
  expect(await step()).toBe('posted')
  await chain.forward(3_500)
  await makeHeader()
  expect(await step()).toBe('not_due')
  await chain.forward(200)
  const later = await makeHeader()
  expect(await step()).toBe('posted_root')
  expect(await newest()).toBe(later)
})

test('a response that is lost sends nothing twice', async () => {
  await chain.forward(3_700)
  const number = await makeHeader()
  const count = (await posting.account()).nonce
  const lost: PostingChain = {
    ...posting,
    async send(raw) {
      await posting.send(raw)
      throw new Error('no response')
    },
  }
  await expect(step(lost)).rejects.toThrow('no response')
  await whenMined()
  expect(await step()).toBe('posted')
  expect([await newest(), (await posting.account()).nonce]).toEqual([number, count + 1])
})

test('a stuck transaction is replaced by one that is mined', async () => {
  await chain.forward(3_700)
  await makeHeader()
  await chain.client.setAutomine(false)
  expect(await step()).toBe('posted_root')
  expect(await step()).toBe('waiting')
  ledger.clock.at = new Date(ledger.clock.at.getTime() + 61_000)
  expect(await step()).toBe('replaced')
  await chain.mine(1)
  await chain.client.setAutomine(true)
  expect(await step()).toBe('posted')
  expect(mined).toEqual([true, true, true, true])
})

test('a paused vault and an old header cost no gas', async () => {
  await chain.forward(3_700)
  await makeHeader()
  const before = await posting.account()
  await chain.forward(2 * 3_600)
  expect(await step()).toBe('too_old')
  await makeHeader()
  await chain.pause()
  expect(await step()).toBe('refused')
  expect(troubles).toEqual([expect.stringMatching(/^the vault refuses header \d+: VaultPaused$/)])
  expect(await posting.account()).toEqual(before)
})
