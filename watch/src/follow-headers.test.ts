import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Finding } from './alarm-codes.ts'
import { judgeStatements } from './follow-bookkeeper.ts'
import { followSource, type HeaderSource, type Moment } from './follow-headers.ts'
import { type HeaderStore, openHeaderStore } from './header-store.ts'
import { startHeaderServer } from './testing/header-server.ts'
import { BOOK_KEY, OTHER_KEY, ROOT_KEY, type SignedLine, signedLine } from './testing/signed-header.ts'
import type { VaultOrder } from './vault-order.ts'

const HASH = (digits: string) => `0x${digits.repeat(32)}` as const
const DOMAIN = { chainId: 97, vault: `0x${'7a'.repeat(20)}` } as const
const AT_S = 1_700_000_000
const KEYS = [
  { role: 'root key', address: ROOT_KEY.address.toLowerCase(), activeAt: 0 },
  { role: 'bookkeeper', address: BOOK_KEY.address.toLowerCase(), activeAt: 0 },
]
const ORDER = { chainId: DOMAIN.chainId, vaults: [DOMAIN.vault] }
const MOMENT = { vaults: [{ keys: KEYS, clock: 1 }], nowS: AT_S + 60 }
/** The ledger moves to a vault with a new bookkeeper. */
const NEXT = { chainId: 97, vault: `0x${'7b'.repeat(20)}` } as const
const BOTH = { chainId: 97, vaults: [DOMAIN.vault, NEXT.vault] }
const MOVING = {
  vaults: [
    { keys: KEYS, clock: 1 },
    {
      keys: [
        KEYS[0] as (typeof KEYS)[number],
        { ...(KEYS[1] as (typeof KEYS)[number]), address: OTHER_KEY.address.toLowerCase() },
      ],
      clock: 1,
    },
  ],
  nowS: AT_S + 60,
}

let server: Awaited<ReturnType<typeof startHeaderServer>>
let folder: string
let store: HeaderStore
let source: HeaderSource
beforeAll(async () => {
  server = await startHeaderServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clearwell-watch-'))
  store = await openHeaderStore(folder)
  source = newSource()
  server.state.lines = []
  return async () => {
    await store.close()
    await rm(folder, { recursive: true })
  }
})

const newSource = (): HeaderSource => ({ url: `${server.url}/api/proof/headers.jsonl`, next: 0n, tail: [] })

const signed = (number: bigint, previous: `0x${string}`): Promise<SignedLine> =>
  signedLine({ domain: DOMAIN, number, previous, tokens: [], cursor: { number, hash: HASH('cc'), time: AT_S } })
const linkOf = (number: bigint, previous: string, hash: string) =>
  JSON.stringify({ number: `${number}`, previous, hash })

/** Reads the source once, and returns the codes that were raised. */
async function follow(
  from = source,
  [order, moment]: readonly [VaultOrder, Moment] = [ORDER, MOMENT],
): Promise<string[]> {
  const codes: string[] = []
  const raise = async (findings: readonly Finding[]) => void codes.push(...findings.map(({ code }) => code))
  await followSource({ store, order, nowMs: () => 0, raise }, from, moment)
  return codes
}

test('a header without fields is stored when a signed one names it', async () => {
  const first = await signed(1n, HASH('00'))
  server.state.lines = [first.text, linkOf(2n, first.hash, HASH('02'))]
  expect(await follow()).toEqual(['header_withheld'])
  expect(store.newest?.number).toBe(1n)
  server.state.lines.push((await signed(3n, HASH('02'))).text)
  expect(await follow()).toEqual([])
  expect([store.newest?.number, store.hashOf(2n)]).toEqual([3n, HASH('02')])
  expect(await follow()).toEqual([])
})

test('one lying source cannot make the others look wrong', async () => {
  const first = await signed(1n, HASH('00'))
  const liar = newSource()
  server.state.lines = [first.text, linkOf(10n ** 17n, first.hash, HASH('0e'))]
  expect(await follow(liar)).toEqual(['header_withheld'])
  const forged = await signedLine({
    ...{ domain: DOMAIN, number: 5n, previous: first.hash, tokens: [], rootKey: OTHER_KEY },
    cursor: { number: 5n, hash: HASH('cc'), time: AT_S },
  })
  server.state.lines = [first.text, forged.text, '{"number":']
  expect(await follow(newSource())).toEqual(['signature_wrong', 'source_malformed'])
  server.state.lines = [first.text, (await signed(2n, first.hash)).text]
  expect(await follow()).toEqual([])
  expect(store.newest?.number).toBe(2n)
})

test('after a gap the chain goes on from the header behind it', async () => {
  const [first, third] = [await signed(1n, HASH('00')), await signed(3n, HASH('02'))]
  server.state.lines = [first.text, third.text, (await signed(4n, third.hash)).text]
  expect(await follow()).toEqual(['header_gap'])
  expect(store.newest?.number).toBe(4n)
})

test('old headers without fields begin the chain', async () => {
  const third = await signed(3n, HASH('02'))
  server.state.lines = [linkOf(1n, HASH('00'), HASH('01')), linkOf(2n, HASH('01'), HASH('02')), third.text]
  expect(await follow()).toEqual([])
  expect([store.oldest, store.newest?.number]).toEqual([1n, 3n])
})

test('only a bookkeeper of the vault can refuse or contradict', async () => {
  const first = await signed(1n, HASH('00'))
  server.state.lines = [first.text]
  await follow()
  const refused = async (key: typeof BOOK_KEY, number: string) => {
    const message = `Clearwell bookkeeper refuses header ${number} ${HASH('0f')}: 5 units appear`
    return {
      number,
      hash: HASH('0f'),
      refusal: { reason: '5 units appear', signature: await key.signMessage({ message }) },
    }
  }
  server.state.refusals = [await refused(BOOK_KEY, '2'), await refused(OTHER_KEY, '3')]
  server.state.statements['1'] = {
    number: '1',
    hash: HASH('0f'),
    signature: await OTHER_KEY.sign({ hash: HASH('0f') }),
  }
  expect(await judgeStatements(server.url, store, MOMENT)).toMatchObject([{ key: `refusal:2:${HASH('0f')}` }])
  server.state.statements['1'] = { number: '1', hash: HASH('0f'), signature: await BOOK_KEY.sign({ hash: HASH('0f') }) }
  const both = await judgeStatements(server.url, store, MOMENT)
  expect(both.map(({ code }) => code)).toEqual(['forked_header', 'refusal'])
})

test('an error of the server is no empty file', async () => {
  const away = { ...newSource(), url: `${server.url}/headers/9` }
  await expect(follow(away)).rejects.toThrow('responded 404 without a file')
})

/** A header of the vault that the ledger moves to. */
const moved = (number: bigint, previous: `0x${string}`, change: Partial<Parameters<typeof signedLine>[0]> = {}) =>
  signedLine({
    ...{ domain: NEXT, number, previous, tokens: [], bookKey: OTHER_KEY },
    cursor: { number, hash: HASH('cc'), time: AT_S },
    ...change,
  })
const followMove = () => follow(source, [BOTH, MOVING])

test('headers go on at the next vault without an alarm', async () => {
  const first = await signed(1n, HASH('00'))
  // The last header of the old vault waited for a signature when the ledger moved.
  server.state.lines = [first.text, linkOf(2n, first.hash, HASH('02'))]
  expect(await followMove()).toEqual([])
  server.state.lines.push((await moved(3n, HASH('02'))).text)
  expect(await followMove()).toEqual([])
  expect([store.newest?.number, store.hashOf(2n)]).toEqual([3n, HASH('02')])
})

test('a header withheld before the move is found at the next one', async () => {
  const first = await signed(1n, HASH('00'))
  server.state.lines = [first.text, linkOf(2n, first.hash, HASH('02')), (await signed(3n, HASH('02'))).text]
  expect(await followMove()).toEqual(['header_withheld'])
  expect(store.newest?.number).toBe(3n)
})

test('after the move, the new vault and its keys count', async () => {
  const first = await signed(1n, HASH('00'))
  const second = await moved(2n, first.hash)
  server.state.lines = [first.text, second.text]
  expect(await followMove()).toEqual([])
  const forked = await moved(2n, first.hash, { change: (header) => ({ ...header, ledgerSeq: 9n }) })
  server.state.lines = [forked.text]
  expect(await followMove()).toEqual(['forked_header'])
  server.state.lines = [(await moved(3n, second.hash, { bookKey: BOOK_KEY })).text]
  expect(await followMove()).toEqual(['signature_wrong'])
  server.state.lines = [(await moved(3n, HASH('0f'))).text]
  expect(await followMove()).toEqual(['header_gap'])
  server.state.lines = [(await signed(4n, store.newest?.hash as `0x${string}`)).text]
  expect(await followMove()).toEqual(['header_of_left'])
  expect(store.newest?.number).toBe(3n)
})

test('a refusal of the last header before a move is a notice', async () => {
  const reason = 'the header is of a vault that the ledger has left'
  const message = `Clearwell bookkeeper refuses header 2 ${HASH('02')}: ${reason}`
  const refusal = { reason, signature: await OTHER_KEY.signMessage({ message }) }
  server.state.refusals = [{ number: '2', hash: HASH('02'), refusal }]
  const codesOf = async (moment: Moment) => (await judgeStatements(server.url, store, moment)).map(({ code }) => code)
  expect(await codesOf(MOVING)).toEqual(['refused_at_move'])
  expect(await codesOf({ ...MOVING, vaults: MOVING.vaults.slice(1) })).toEqual(['refusal'])
})
