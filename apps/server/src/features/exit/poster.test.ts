import type { Hex } from '@clearwell/proofs/bytes'
import type { Header } from '@clearwell/proofs/header'
import { beforeEach, expect, test } from 'vitest'
import type { PostingChain } from '../../platform/chain/exit-vault-post.ts'
import type { InFlight, InFlightStore } from './in-flight.store.ts'
import { createPoster, type Poster } from './poster.ts'

const NOW = new Date('2026-11-28T12:00:00Z')
const GWEI = 1_000_000_000n

/** A chain with one account that sends, of which the test decides what is mined. */
function simulatedChain() {
  const mined = new Map<Hex, boolean>()
  const sent: { raw: Hex; hash: Hex; nonce: number; number: bigint; maxFee: bigint }[] = []
  const signed = new Map<Hex, (typeof sent)[number]>()
  const known = new Set<Hex>()
  const state = {
    ...{ nonce: 7, number: 0n, isLost: false, refusal: undefined as string | undefined, maxFee: GWEI / 10n },
    ...{ time: NOW, gas: { estimated: 250_000n, offered: 300_000n } },
  }
  const chain: PostingChain = {
    time: async () => state.time,
    newestRoot: async () =>
      state.number === 0n ? undefined : { number: state.number, cursorBlock: 1n, postedAt: NOW, seq: 1 },
    account: async () => ({ nonce: state.nonce, balance: 10n ** 16n }),
    fees: async () => ({ maxFee: state.maxFee, tip: state.maxFee }),
    estimate: async () => (state.refusal === undefined ? { gas: state.gas.estimated } : { refusal: state.refusal }),
    async sign({ header }, { nonce, maxFee, gas }) {
      expect(gas).toBe(state.gas.offered)
      const number = BigInt(header.slice(0, 66))
      const [raw, hash]: Hex[] = [`0x${nonce}aa${number}bb${maxFee}`, `0x${nonce}cc${number}dd${maxFee}`]
      signed.set(raw as Hex, { raw: raw as Hex, hash: hash as Hex, nonce, number, maxFee })
      return { raw: raw as Hex, hash: hash as Hex }
    },
    async send(raw) {
      const each = signed.get(raw)
      if (!each) throw new Error('it was never signed')
      sent.push(each)
      if (!state.isLost) known.add(each.hash)
      else throw new Error('no response')
    },
    isKnown: async (hash) => known.has(hash),
    receipt: async (hash) => (mined.has(hash) ? { isSuccess: mined.get(hash) === true, gasUsed: 200_000n } : undefined),
  }
  return {
    chain,
    sent,
    state,
    known,
    mine(hash: Hex, isSuccess = true) {
      mined.set(hash, isSuccess)
      state.nonce++
      state.number = sent.find((each) => each.hash === hash)?.number ?? state.number
    },
  }
}

function storeInMemory(): InFlightStore & { stored: InFlight | undefined } {
  return {
    stored: undefined,
    async read() {
      return this.stored
    },
    async write(inFlight) {
      this.stored = inFlight
    },
    async clear() {
      this.stored = undefined
    },
  }
}

const WORD = `0x${'11'.repeat(32)}` as const
const headerOf = (number: bigint): Header => ({
  ...{ number, previous: WORD, ledgerSeq: 1n, entryHash: WORD, cursorBlock: 5n, cursorHash: WORD },
  ...{ cursorTime: NOW.getTime() / 1_000 - 60, positionsRoot: WORD, pools: WORD, rules: WORD, boxDay: 1 },
  ...{ boxRoot: WORD, dataHash: WORD, depth: 20, rtRoot: WORD, rtUsers: 0n, assets: [] },
})

let clock: { at: Date; now(): Date }
let simulated: ReturnType<typeof simulatedChain>
let store: ReturnType<typeof storeInMemory>
let header: bigint
let troubles: string[]
let reports: unknown[]
let poster: Poster
beforeEach(() => {
  clock = { at: NOW, now: () => clock.at }
  simulated = simulatedChain()
  store = storeInMemory()
  header = 3n
  troubles = []
  reports = []
  poster = newPoster()
})

const newPoster = () =>
  createPoster({
    ...{ chain: simulated.chain, store, clock },
    newestSigned: async () => ({ header: headerOf(header), rootSignature: WORD, bookSignature: WORD }),
    boxDayUpTo: async () => 1,
    onMined: (mined) => reports.push(mined),
    onTrouble: (message) => troubles.push(message),
  })
const wait = (seconds: number) => {
  clock.at = new Date(clock.at.getTime() + seconds * 1_000)
}

test('one transaction is in flight until it is mined', async () => {
  expect(await poster.step()).toBe('posted_root')
  expect(await poster.step()).toBe('waiting')
  simulated.mine(simulated.sent[0]?.hash as Hex)
  expect(await poster.step()).toBe('posted')
  expect(store.stored).toBeUndefined()
  expect(simulated.sent).toMatchObject([{ nonce: 7, number: 3n }])
  expect(reports).toEqual([{ number: 3n, hash: simulated.sent[0]?.hash, isSuccess: true }])
})

test('a transaction that failed is reported, and the header posted again', async () => {
  await poster.step()
  simulated.mine(simulated.sent[0]?.hash as Hex, false)
  // The vault has no root.
  simulated.state.number = 0n
  expect(await poster.step()).toBe('posted_root')
  expect(reports).toEqual([{ number: 3n, hash: simulated.sent[0]?.hash, isSuccess: false }])
  expect(simulated.sent.map(({ nonce, number }) => [nonce, number])).toEqual([
    [7, 3n],
    [8, 3n],
  ])
})

// The cursor of the header is a minute old at the start, and the vault takes one of 118 minutes.
test.each(['chain', 'server'] as const)('the later clock counts, here that of the %s', async (whose) => {
  if (whose === 'chain') simulated.state.time = new Date(NOW.getTime() + 117 * 60_000 + 1)
  else wait(117 * 60 + 1)
  expect(await poster.step()).toBe('too_old')
})

test('after twenty transactions the newest one is sent again, and reported', async () => {
  simulated.state.maxFee = GWEI / 1_000n
  for (let count = 1; count <= 20; count++) {
    expect(await poster.step()).toBe(count === 1 ? 'posted_root' : 'replaced')
    wait(60)
  }
  expect([await poster.step(), simulated.sent.length, troubles.length]).toEqual(['waiting', 20, 1])
  // The node has forgotten them.
  simulated.known.clear()
  expect([await poster.step(), simulated.sent.length]).toEqual(['sent_again', 21])
  expect(simulated.sent.at(-1)).toEqual(simulated.sent.at(-2))
  expect(store.stored?.hashes).toHaveLength(20)
})

test('a stuck transaction stays when a higher fee is too dear', async () => {
  simulated.state.maxFee = 4n * GWEI + 1n
  await poster.step()
  wait(60)
  simulated.known.clear()
  // A quarter more is above 5 gwei.
  expect([await poster.step(), simulated.sent.length]).toEqual(['sent_again', 2])
  expect(troubles).toEqual(['header 3 is not mined, and no higher fee is offered: the transaction is sent again'])
})

test('a lost response is looked up and the same transaction sent again', async () => {
  simulated.state.isLost = true
  await expect(poster.step()).rejects.toThrow('no response')
  simulated.state.isLost = false
  const [first] = simulated.sent
  // Another leader reads it from the store.
  expect(await newPoster().step()).toBe('sent_again')
  expect(simulated.sent).toEqual([first, first])
  expect(await newPoster().step()).toBe('waiting')
})

test('a mined transaction is not sent again after a lost response', async () => {
  simulated.state.isLost = true
  await expect(poster.step()).rejects.toThrow('no response')
  simulated.mine(simulated.sent[0]?.hash as Hex)
  expect(await poster.step()).toBe('posted')
  expect(simulated.sent).toHaveLength(1)
})

test('replaces a stuck transaction at a higher fee, with the newest header', async () => {
  await poster.step()
  header = 4n
  wait(59)
  expect(await poster.step()).toBe('waiting')
  wait(1)
  expect(await poster.step()).toBe('replaced')
  expect(simulated.sent.map(({ nonce, number, maxFee }) => [nonce, number, maxFee])).toEqual([
    [7, 3n, GWEI / 10n],
    [7, 4n, GWEI / 8n],
  ])
  // The first one is mined after all.
  simulated.mine(simulated.sent[0]?.hash as Hex)
  expect(await poster.step()).toBe('not_due')
  expect([store.stored, troubles]).toEqual([undefined, []])
})

test('a header that the vault refuses is not sent', async () => {
  simulated.state.refusal = 'VaultPaused'
  expect(await poster.step()).toBe('refused')
  expect([simulated.sent, troubles]).toEqual([[], ['the vault refuses header 3: VaultPaused']])
})

test('nothing is sent while gas is too dear', async () => {
  simulated.state.maxFee = 6n * GWEI
  expect(await poster.step()).toBe('too_dear')
  expect([simulated.sent, troubles]).toEqual([[], ['gas costs 6000000000 wei: nothing is posted until it costs less']])
})

test('a nonce that another transaction took is reported', async () => {
  await poster.step()
  simulated.state.nonce++
  simulated.state.number = 3n
  expect(await poster.step()).toBe('posted')
  expect(troubles).toEqual(['another transaction has the nonce 7: the key of the poster is used elsewhere'])
})

test('the gas is counted in hours of posting', async () => {
  expect(poster.gasHours).toBeUndefined()
  await poster.step()
  // 0.01 BNB is 333 posts of 300,000 gas at 0.1 gwei, 25 a day.
  expect(Math.round(poster.gasHours ?? 0)).toBe(320)
  // 277.77 posts of 360,000 gas, which the last post was offered.
  simulated.state.gas = { estimated: 300_000n, offered: 360_000n }
  simulated.mine(simulated.sent[0]?.hash as Hex)
  simulated.state.number = 0n
  await poster.step()
  await poster.step()
  expect(poster.gasHours).toBeCloseTo((277.77 / 25) * 24, 6)
})
