import type { Command } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import { MemoryLedger } from '@clearwell/ledger/testing/memory-ledger'
import { beforeEach, expect, test } from 'vitest'
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
  const signed = { root_signature: '0xr', book_signature: '0xb', book_refusal: null }
  ledger.put(proofHeaderBodies, {
    id: '70',
    header: '{}',
    ...signed,
    tx_hash: null,
    posted_at: null,
    made_at: NOW,
    lines: null,
  })
})

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
  run((draft) => bookRoot(draft, POST))
  expect([header(), isVoid()]).toEqual([['0x1', NOW], false])
})

test('a header of another ledger changes no header of this one', () => {
  run((draft) => bookRoot(draft, { ...POST, isOwn: false }))
  expect([header(), isVoid()]).toEqual([[null, null], false])
})

test('a reorganisation takes a post back, and it can come again', () => {
  run((draft) => bookRoot(draft, POST))
  run((draft) => takeBackRoot(draft, ID))
  expect([header(), isVoid()]).toEqual([[null, null], true])
  run((draft) => bookRoot(draft, { ...POST, txHash: '0x2' }))
  expect([header(), isVoid()]).toEqual([['0x2', NOW], false])
})

test('taking back an old post leaves a later post of its header', () => {
  run((draft) => bookRoot(draft, POST))
  run((draft) => bookRoot(draft, { ...POST, seq: 4, txHash: '0x2' }))
  run((draft) => takeBackRoot(draft, ID))
  expect([header(), isVoid()]).toEqual([['0x2', NOW], true])
})

test('a dropped root is void, and its header stays posted', () => {
  run((draft) => bookRoot(draft, POST))
  run((draft) => dropRoots(draft, [ID, postId(POST.vault, 9)]))
  expect([header(), isVoid()]).toEqual([['0x1', NOW], true])
})
