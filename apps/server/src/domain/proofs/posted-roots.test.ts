import type { Command } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { beforeEach, expect, test } from 'vitest'
import { headerTimes } from '../../platform/ledger/header-age.ts'
import { bookRoot, dropRoots, postedRoots, postId, type RootPost, takeBackRoot } from './posted-roots.ts'
import { proofHeaderBodies } from './proof.tables.ts'

const NOW = new Date('2026-11-28T09:00:00Z')
const POST: RootPost = {
  ...{ vault: '0xv', seq: 3, number: 70n, headerHash: '0xh', postedAt: NOW, txHash: '0x1', blockNumber: 9n },
  isOwn: true,
}
const ID = postId(POST.vault, POST.seq)

let ledger: MemoryLedger
beforeEach(() => {
  ledger = new MemoryLedger(NOW)
  putHeader(70n, NOW)
})

/** A signed header. */
function putHeader(number: bigint, made_at: Date): void {
  const signed = { root_signature: '0xr', book_signature: '0xb', book_refusal: null }
  const unposted = { tx_hash: null, posted_at: null }
  ledger.put(proofHeaderBodies, { id: `${number}`, header: '{}', ...signed, ...unposted, made_at, lines: null })
}

function run(change: (draft: Draft) => void): void {
  const command: Command<null> = {
    ...{ kind: 'test', owner: 'test', payload: {}, preload: [] },
    decide(state) {
      const draft = new Draft(state)
      change(draft)
      return draft.plan(null)
    },
  }
  ledger.execute(command)
}

const header = () => {
  const { tx_hash, posted_at } = ledger.row(proofHeaderBodies, '70') ?? {}
  return [tx_hash, posted_at]
}
const isVoid = () => ledger.row(postedRoots, ID)?.is_void

test('a post is written back to its header', () => {
  run((draft) => bookRoot(draft, POST, NOW))
  expect([header(), isVoid()]).toEqual([['0x1', NOW], false])
  expect(ledger.rows(postedRoots)).toEqual([
    {
      ...{ id: '0xv:3', vault: '0xv', seq: 3n, number: 70n, header_hash: '0xh', posted_at: NOW },
      ...{ tx_hash: '0x1', block: 9n, is_void: false },
    },
  ])
})

test('a header of another ledger changes no header of this one', () => {
  run((draft) => bookRoot(draft, { ...POST, isOwn: false }, NOW))
  expect([header(), isVoid()]).toEqual([[null, null], false])
  // It is the first root, so no time is counted yet.
  run((draft) => takeBackRoot(draft, ID, NOW))
  expect([header(), isVoid(), ledger.rows(headerTimes)]).toEqual([[null, null], true, []])
})

test('a reorganisation takes a post back, and it can come again', () => {
  run((draft) => bookRoot(draft, POST, NOW))
  run((draft) => takeBackRoot(draft, ID, NOW))
  expect([header(), isVoid()]).toEqual([[null, null], true])
  run((draft) => bookRoot(draft, { ...POST, txHash: '0x2' }, NOW))
  expect([header(), isVoid()]).toEqual([['0x2', NOW], false])
})

test('taking back an old post leaves a later post of its header', () => {
  run((draft) => bookRoot(draft, POST, NOW))
  run((draft) => bookRoot(draft, { ...POST, seq: 4, txHash: '0x2' }, NOW))
  run((draft) => takeBackRoot(draft, ID, NOW))
  expect([header(), isVoid()]).toEqual([['0x2', NOW], true])
  // The stops count from the later post, though both have one header.
  expect(counted()).toEqual([postId('0xv', 4), NOW])
})

test('a dropped root is void, and its header stays posted', () => {
  run((draft) => bookRoot(draft, POST, NOW))
  run((draft) => dropRoots(draft, [ID, postId(POST.vault, 9)], NOW))
  expect([header(), isVoid()]).toEqual([['0x1', NOW], true])
  // The other one was never recorded.
  expect(ledger.rows(postedRoots)).toMatchObject([{ id: ID }])
})

const MINUTE_MS = 60_000
const at = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS)

/** Posts header 70 as root 3 and four later ones, each made ten minutes after the one before. */
function postFive(): void {
  for (const [index, seq] of [3, 4, 5, 6, 7].entries()) {
    const number = 70n + BigInt(index)
    if (index > 0) putHeader(number, at(10 * index))
    const post = { ...POST, seq, number, txHash: `0x${seq}`, isOwn: seq !== 5 }
    run((draft) => bookRoot(draft, post, NOW))
  }
}
const counted = () => {
  const { root_id, root_made_at } = ledger.row(headerTimes, 'last') ?? {}
  return [root_id, root_made_at]
}

test('both stops count from when the newest posted header was made', () => {
  postFive()
  expect(counted()).toEqual([postId('0xv', 7), at(40)])
  // Blocks that are read again have older roots.
  run((draft) => bookRoot(draft, { ...POST, txHash: '0x3' }, NOW))
  expect(counted()).toEqual([postId('0xv', 7), at(40)])
})

test('the stops count from an older root again when newer ones vanish', () => {
  postFive()
  run((draft) => takeBackRoot(draft, postId('0xv', 4), NOW))
  expect(counted()).toEqual([postId('0xv', 7), at(40)])
  run((draft) => dropRoots(draft, [postId('0xv', 7)], NOW))
  expect(counted()).toEqual([postId('0xv', 6), at(30)])
  // Root 5 is of another ledger, and root 4 is gone.
  run((draft) => takeBackRoot(draft, postId('0xv', 6), NOW))
  expect(counted()).toEqual([postId('0xv', 3), NOW])
  run((draft) => bookRoot(draft, { ...POST, seq: 8, number: 74n, txHash: '0x8' }, NOW))
  expect(counted()).toEqual([postId('0xv', 8), at(40)])
})

test('the root before a dropped one counts, no later one', () => {
  postFive()
  run((draft) => bookRoot(draft, { ...POST, seq: 8, txHash: '0x8' }, NOW))
  expect(counted()).toEqual([postId('0xv', 7), at(40)])
  run((draft) => dropRoots(draft, [postId('0xv', 7)], NOW))
  expect(counted()).toEqual([postId('0xv', 6), at(30)])
})

test('the time stays when the first root of a vault vanishes', () => {
  run((draft) => bookRoot(draft, POST, NOW))
  run((draft) => takeBackRoot(draft, ID, NOW))
  expect(counted()).toEqual([null, NOW])
})
