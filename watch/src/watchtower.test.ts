import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeHeader, type Header } from '@clearwell/proofs/header'
import {
  EXIT_CHAIN_ID,
  type ExitVaultChain,
  startExitVaultChain,
} from '@clearwell/server/src/platform/chain/testing/exit-vault-chain.ts'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { vaultKeysAbi } from '@clearwell/vault/abi/vault-keys'
import { type Hex, parseEther } from 'viem'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Alarm } from './alarm-book.ts'
import { readSettings } from './settings.ts'
import { startHeaderServer } from './testing/header-server.ts'
import { installPacked } from './testing/install-packed.ts'
import { OTHER_KEY, ROOT_KEY, type SignedLine, signedLine } from './testing/signed-header.ts'
import { openWatchtower, type Watchtower } from './watchtower.ts'

const OWNER = mnemonicToAccount('test test test test test test test test test test test junk')
const POSTER_KEY = generatePrivateKey()
const PATIENCE_MS = 120_000

let chain: ExitVaultChain
let server: Awaited<ReturnType<typeof startHeaderServer>>
let folder: string
let tower: Watchtower
let last: SignedLine
beforeAll(async () => {
  chain = await startExitVaultChain({ rootKey: ROOT_KEY.address, payout: `0x${'0e'.repeat(20)}` })
  await chain.give(privateKeyToAddress(POSTER_KEY), parseEther('1'))
  server = await startHeaderServer()
  folder = await mkdtemp(join(tmpdir(), 'clearwell-watch-'))
  last = await signHeader(1n)
  publish(last)
  tower = await open()
}, PATIENCE_MS)
afterAll(async () => {
  await tower.close()
  await server.stop()
  await chain.stop()
  await rm(folder, { recursive: true })
})

const options = () => [
  ...['--node', chain.rpcUrl, '--vault', chain.vault, '--chain', `${EXIT_CHAIN_ID}`, '--confirmations', '0'],
  ...['--headers', `${server.url}/api/proof/headers.jsonl`, '--bookkeeper', server.url, '--folder', folder],
]

/** @param next the vault that the ledger moves to. */
async function open(next?: string): Promise<Watchtower> {
  const settings = readSettings([...options(), ...(next ? ['--vault', next] : [])], { WATCH_PRIVATE_KEY: POSTER_KEY })
  return openWatchtower(settings as NonNullable<typeof settings>)
}

/** A header of the chain of now, by the vault's keys. */
async function signHeader(number: bigint, more: Partial<Parameters<typeof signedLine>[0]> = {}): Promise<SignedLine> {
  const { number: block, hash, timestamp } = await chain.client.getBlock()
  return signedLine({
    ...{ domain: { chainId: EXIT_CHAIN_ID, vault: chain.vault }, number, tokens: Object.values(chain.tokens) },
    cursor: { number: block, hash: hash as Hex, time: Number(timestamp) },
    bookKey: chain.bookkeeper,
    ...(last ? { previous: last.hash } : {}),
    ...more,
  })
}

function publish(line: SignedLine): void {
  server.state.lines.push(line.text)
  last = line
}

/** Looks, and returns the codes of the alarms that were raised or cleared, with what lasts. */
async function look() {
  const { open: lasting, header, root, failing } = await tower.look()
  expect(failing).toEqual([])
  const sent: Alarm[] = []
  await tower.alarms.deliver(async (alarm) => void sent.push(alarm))
  const codes = sent.map(({ state, code }) => (state === 'raised' ? code : `${code} cleared`))
  return { codes, sent, lasting: lasting.map((key) => key.split(':')[0]), header, root }
}

const newestOnChain = async (address: Hex) =>
  `${(await chain.client.readContract({ address, abi: exitVaultAbi, functionName: 'newestRoot' })).number}`

/** Waits until the transaction is mined. */
const untilPosted = (number: string, vault = chain.vault) =>
  expect.poll(() => newestOnChain(vault), { timeout: 20_000 }).toBe(number)

async function asOwner(functionName: 'addKey' | 'announceSuccessor', args: readonly unknown[]) {
  const address = await chain.client.readContract({ address: chain.vault, abi: exitVaultAbi, functionName: 'keys' })
  const wallet = chain.wallet(OWNER)
  const call = { address, abi: vaultKeysAbi, functionName, args, account: OWNER, chain: wallet.chain }
  await chain.receipt(await wallet.writeContract(call as never))
}

const withDebt = (header: Header): Header => ({
  ...header,
  assets: header.assets.map((each, index) => (index === 0 ? { ...each, users: 5n } : each)),
})

test(
  'it posts the first header itself and finds nothing wrong',
  async () => {
    expect(await look()).toMatchObject({ codes: [], header: '1', root: '0' })
    await untilPosted('1')
    expect(await look()).toMatchObject({ codes: [], lasting: [], root: '1' })
  },
  PATIENCE_MS,
)

test(
  'the tool of the recipe runs once from an empty folder',
  async () => {
    const { look: lookOnce, remove } = await installPacked()
    const { rpcUrl: node, vault } = chain
    const places = { node, vault, chain: `${EXIT_CHAIN_ID}`, block: '0', server: server.url }
    const more = ['--confirmations', '0']
    const looked = await lookOnce(places, more)
    expect(looked).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(looked.stdout)).toMatchObject({ looked: { header: '1', root: '1', open: [] } })
    expect(await lookOnce({ ...places, chain: '56' }, more)).toMatchObject({
      status: 2,
      stderr: 'the node serves chain 31337, not 56\n',
    })
    server.state.lines.push('{"number":"2"}')
    const odd = await lookOnce(places, more)
    expect(odd.status).toBe(1)
    expect(JSON.parse(odd.stdout.split('\n')[0] ?? '')).toMatchObject({ alarm: { code: 'source_malformed' } })
    server.state.lines.pop()
    await remove()
  },
  PATIENCE_MS,
)

test(
  'silence is an alarm until it posts the next header',
  async () => {
    await chain.forward(7_300)
    expect((await look()).codes).toEqual(['roots_late', 'headers_late'])
    await chain.forward(80_000)
    expect((await look()).codes).toEqual(['roots_late cleared', 'roots_stopped'])
    publish(await signHeader(4n))
    expect((await look()).codes).toEqual(['headers_late cleared'])
    await untilPosted('4')
    expect(await look()).toMatchObject({ codes: ['roots_stopped cleared'], lasting: [] })
  },
  PATIENCE_MS,
)

test(
  'a header with a wrong signature is neither stored nor posted',
  async () => {
    await chain.forward(6_400)
    const wrong = await signHeader(5n, { bookKey: OTHER_KEY })
    server.state.lines.push(wrong.text)
    expect(await look()).toMatchObject({
      codes: ['signature_wrong'],
      header: '4',
      sent: [{ facts: { header: { hash: wrong.hash } } }],
    })
    server.state.lines.pop()
    publish(await signHeader(5n))
    expect(await look()).toMatchObject({ codes: [], header: '5' })
    await untilPosted('5')
  },
  PATIENCE_MS,
)

test(
  'a second header with one number is kept as evidence',
  async () => {
    const forked = await signHeader(5n, { change: (header) => ({ ...header, ledgerSeq: 9n }) })
    const honest = server.state.lines.splice(-1, 1, forked.text)
    const { codes, sent, header } = await look()
    expect([codes, header]).toEqual([['forked_header'], '5'])
    expect(sent[0]?.facts).toMatchObject({
      stored: last.hash,
      header: { hash: forked.hash, signatures: forked.signatures },
    })
    server.state.lines.splice(-1, 1, ...honest)
    const other = await signHeader(5n, { change: (each) => ({ ...each, ledgerSeq: 8n }) })
    server.state.statements['5'] = { number: '5', hash: other.hash, signature: other.signatures.bookkeeper }
    expect((await look()).codes).toEqual(['forked_header'])
  },
  PATIENCE_MS,
)

test(
  'a root that the sources deny is an alarm',
  async () => {
    const hidden = await signHeader(6n)
    const { root, bookkeeper } = hidden.signatures
    await chain.call(OWNER.address, 'postRoot', [encodeHeader(hidden.header), root, bookkeeper])
    expect((await look()).codes).toEqual([])
    publish(await signHeader(7n))
    expect(await look()).toMatchObject({ codes: ['root_denied'], sent: [{ facts: { hash: hidden.hash } }] })
  },
  PATIENCE_MS,
)

test(
  'a vault that holds less than it owes is an alarm',
  async () => {
    await chain.forward(6_400)
    publish(await signHeader(8n, { change: withDebt }))
    await look()
    await untilPosted('8')
    const short = await look()
    expect(short).toMatchObject({ codes: ['vault_short'], sent: [{ facts: { held: '0', owed: '5' } }] })
    await chain.give(chain.vault, 5n)
    expect((await look()).codes).toEqual(['vault_short cleared'])
  },
  PATIENCE_MS,
)

test(
  'announcements name when they count, also after a kill',
  async () => {
    await asOwner('addKey', [1, OTHER_KEY.address])
    const { sent } = await look()
    const now = await chain.time()
    expect(sent).toMatchObject([{ code: 'key_added', facts: { key: OTHER_KEY.address } }])
    const countsAt = Date.parse(`${sent[0]?.facts?.counts_at}`)
    expect(Math.abs(countsAt - now.getTime() - 10 * 86_400_000)).toBeLessThan(60_000)
    await tower.close()
    await asOwner('announceSuccessor', [`0x${'5c'.repeat(20)}`])
    tower = await open()
    expect(await look()).toMatchObject({ codes: ['successor'], header: '8', lasting: [] })
  },
  PATIENCE_MS,
)

test(
  'the ledger moves to the next vault without an alarm',
  async () => {
    await tower.close()
    const next = await chain.deployNext()
    tower = await open(next)
    // It is there, and not in use.
    await chain.forward(3_600)
    expect(await look()).toMatchObject({ codes: [], root: '8' })
    const domain = { chainId: EXIT_CHAIN_ID, vault: next }
    publish(await signHeader(9n, { domain }))
    expect(await look()).toMatchObject({ codes: [], header: '9' })
    await untilPosted('9', next)
    expect(await look()).toMatchObject({ codes: [], lasting: [], root: '9' })

    // The old vault still has the money of the new one. A unit less is missing.
    await chain.forward(6_400)
    publish(await signHeader(10n, { domain, change: withDebt }))
    await look()
    await untilPosted('10', next)
    expect(await look()).toMatchObject({ codes: [], lasting: [], root: '10' })
    await chain.give(chain.vault, 4n)
    expect(await look()).toMatchObject({ codes: ['vault_short'], sent: [{ facts: { held: '0', owed: '5' } }] })
    await chain.give(chain.vault, 5n)
    expect((await look()).codes).toEqual(['vault_short cleared'])

    const forked = await signHeader(10n, { domain, change: (header) => ({ ...header, ledgerSeq: 9n }) })
    const [honest = ''] = server.state.lines.splice(-1, 1, forked.text)
    expect((await look()).codes).toEqual(['forked_header'])
    server.state.lines.splice(-1, 1, honest, (await signHeader(11n)).text)
    expect(await look()).toMatchObject({ codes: ['header_of_left'], header: '10' })
  },
  PATIENCE_MS,
)
