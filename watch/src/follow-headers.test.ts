import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Finding } from './alarm-codes.ts'
import { judgeStatements } from './follow-bookkeeper.ts'
import { followSource, type HeaderSource } from './follow-headers.ts'
import { type HeaderStore, openHeaderStore } from './header-store.ts'
import { startHeaderServer } from './testing/header-server.ts'
import { BOOK_KEY, OTHER_KEY, ROOT_KEY, type SignedLine, signedLine } from './testing/signed-header.ts'

const HASH = (digits: string) => `0x${digits.repeat(32)}` as const
const DOMAIN = { chainId: 97, vault: `0x${'7a'.repeat(20)}` } as const
const AT_S = 1_700_000_000
const KEYS = [
  { role: 'root key', address: ROOT_KEY.address.toLowerCase(), activeAt: 0 },
  { role: 'bookkeeper', address: BOOK_KEY.address.toLowerCase(), activeAt: 0 },
]
const MOMENT = { keys: KEYS, clock: 1, nowS: AT_S + 60 }

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
async function follow(from = source): Promise<string[]> {
  const codes: string[] = []
  const raise = async (findings: readonly Finding[]) => void codes.push(...findings.map(({ code }) => code))
  await followSource({ store, domain: DOMAIN, nowMs: () => 0, raise }, from, MOMENT)
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
