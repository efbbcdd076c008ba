import * as z from 'zod/mini'
import { asset, decimalText, nothing, optional, timeText, wholeNumber } from './fields.ts'
import type { Route } from './route.ts'

/** The number of a header, or of an entry of the ledger. */
const number = wholeNumber(0, Number.MAX_SAFE_INTEGER)

/** A whole number as text: a header's number, or an amount in base units. */
const wholeText = z.string()
const hashText = z.string()

const figures = z.object({
  token: z.string(),
  root: hashText,
  users: wholeText,
  lending: wholeText,
  payouts: wholeText,
  house: wholeText,
  locked: wholeText,
  depositedSeen: wholeText,
  paidSeen: wholeText,
  exitedSeen: wholeText,
  payoutPaidSeen: wholeText,
})

/** The fields that are hashed: docs/concepts/proofs.md. */
export const headerFields = z.object({
  number: wholeText,
  previous: hashText,
  ledgerSeq: wholeText,
  entryHash: hashText,
  cursorBlock: wholeText,
  cursorHash: hashText,
  cursorTime: z.int(),
  positionsRoot: hashText,
  pools: hashText,
  rules: hashText,
  boxDay: z.int(),
  boxRoot: hashText,
  dataHash: hashText,
  depth: z.int(),
  rtRoot: hashText,
  rtUsers: wholeText,
  assets: z.array(figures),
})

const signedHeader = z.object({
  number: wholeText,
  /** The digest by EIP-712 that the keys sign. */
  hash: hashText,
  header: headerFields,
  /** Of the root key, and of a bookkeeper: null until one has signed. */
  signatures: z.object({ root: z.string(), bookkeeper: z.nullable(z.string()) }),
  /** The transaction that posted the header. null: it is not on the chain. */
  tx_hash: z.nullable(z.string()),
})

/** A hash and a sum beside one step of a path, and the side where they are. */
const step = z.object({ hash: hashText, sum: wholeText, side: z.enum(['left', 'right']) })

/** A step without a sum, of the positions tree. */
const plainStep = z.object({ hash: hashText, side: z.enum(['left', 'right']) })

/** A leaf with its path, from the leaf to the top. Amounts are whole base units. */
const ownLeaf = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('user'),
    asset,
    free: wholeText,
    deposited_seen: wholeText,
    paid_seen: wholeText,
    salt: hashText,
    index: z.int(),
    path: z.array(step),
  }),
  z.object({
    kind: z.literal('pledge'),
    asset,
    shares: wholeText,
    salt: hashText,
    index: z.int(),
    path: z.array(plainStep),
  }),
  z.object({
    kind: z.literal('order'),
    order_id: z.string(),
    collateral_asset: asset,
    collateral: wholeText,
    debt_asset: asset,
    debt_shares: wholeText,
    salt: hashText,
    index: z.int(),
    path: z.array(plainStep),
  }),
])

export const proofRoutes = {
  proofHeader: {
    method: 'POST',
    path: '/proof/header',
    session: 'none',
    idempotent: false,
    summary: 'Returns a signed header of the ledger: the newest one, or the one with this number.',
    payload: z.object({ number: optional(number) }),
    response: signedHeader,
    refusals: ['not_found'],
  },
  proofMine: {
    method: 'POST',
    path: '/proof/mine',
    cost: { rows: 300, requests: 10 },
    session: 'required',
    idempotent: false,
    summary:
      'Returns the user’s leaves with their paths in the first header of this hour (UTC), or of the hour of `number`, if the server can still prove it.',
    payload: z.object({ number: optional(number) }),
    response: z.object({
      number: wholeText,
      /** null: the header is not on the chain. */
      posted_at: z.nullable(timeText),
      leaves: z.array(ownLeaf),
    }),
    refusals: ['not_found'],
  },
  proofEntry: {
    method: 'POST',
    path: '/proof/entry',
    session: 'required',
    idempotent: false,
    summary: 'Returns the first signed header that contains an entry of the user.',
    payload: z.object({ entry: number }),
    response: signedHeader,
    refusals: ['not_found'],
  },
  proofHeaders: {
    method: 'GET',
    path: '/proof/headers.jsonl',
    cost: { rows: 500, requests: 30 },
    session: 'none',
    idempotent: false,
    returnsFile: true,
    summary:
      'Returns signed headers as a file, one a line, oldest first: at most 10,000 from the number `from` on. An old header that is not on the chain has only number, predecessor and hash.',
    payload: z.object({ from: optional(number) }),
    response: z.string(),
    refusals: ['not_found'],
  },
  proofData: {
    method: 'GET',
    path: '/proof/data.jsonl',
    cost: { rows: 50, requests: 30 },
    session: 'none',
    idempotent: false,
    returnsFile: true,
    summary:
      'Returns the encrypted proof data as a file, a block for each header and one a line: `number` and `block` in base64, at most about 2,000 from the number `from` on. The hash chain of the blocks is `dataHash` of the headers.',
    payload: z.object({ from: optional(number) }),
    response: z.string(),
    refusals: ['not_found'],
  },
  proofExport: {
    method: 'GET',
    path: '/proof/export.jsonl',
    cost: { rows: 1_300, requests: 30 },
    session: 'required',
    idempotent: false,
    returnsFile: true,
    summary:
      'Returns the user’s entries from the entry `from` on, and the leaves in the first header of this hour with their paths, as a file for `clearwell-verify proof`.',
    payload: z.object({ from: optional(number) }),
    response: z.string(),
    refusals: ['not_found'],
  },
  proofReserves: {
    method: 'POST',
    path: '/proof/reserves',
    session: 'none',
    idempotent: false,
    isPolled: true,
    summary:
      'The last comparison of the ledger with the vault contract: one block of the chain, one entry of the ledger. RT exists only in the ledger and is not included.',
    payload: nothing,
    response: z.object({
      assets: z.array(
        z.object({
          asset,
          /** The vault contract's balance after `block_number`. */
          vault: decimalText,
          /** The total of all accounts of the ledger after `ledger_seq`. */
          owed: decimalText,
          /** `vault` minus `owed`. Below zero: money is missing. Above: money that belongs to no account. */
          difference: decimalText,
        }),
      ),
      /** The watcher's block: everything up to it is in the ledger, and nothing later. null before the first check. */
      block_number: z.nullable(z.int()),
      block_hash: z.nullable(z.string()),
      block_time: z.nullable(timeText),
      /** The last entry of the ledger when its totals were read. */
      ledger_seq: z.nullable(z.int()),
      /** Its hash in hex, which covers every earlier entry. */
      entry_hash: z.nullable(z.string()),
      checked_at: z.nullable(timeText),
      /** Seconds since `checked_at`, by the server's clock. */
      age_seconds: z.nullable(z.int()),
      /** null: no check yet, or the last one is too old to prove anything. */
      healthy: z.nullable(z.boolean()),
      /** Why the check failed: the vault holds too little, or the ledger's entries do not add up (`assets` is then empty). */
      fault: z.nullable(z.enum(['missing', 'ledger'])),
    }),
    refusals: [],
  },
} as const satisfies Record<string, Route>
