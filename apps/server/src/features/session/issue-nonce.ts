import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { NotReady } from '@clearwell/ledger/writer'
import { getAddress } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { defineJob } from '../../platform/jobs/job.ts'
import { parseAddress } from '../../platform/ledger/address.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { deleteExpiredNonces, NONCE_SLOTS, type NonceRow, type NonceStore } from './nonce.store.ts'

/** Nonces that an address gets without a limit on their rate. Beyond them, two in each half of a nonce's life. */
const FREE_NONCES = 3
const NONCES_PER_HALF_LIFE = 2
/** Each attempt that fails means that another request took a slot, so more are only needed while the owner signs in. */
const ATTEMPTS = 2 * NONCE_SLOTS

const SLOTS = Array.from({ length: NONCE_SLOTS }, (_, slot) => slot)

const FORGET_EVERY_MS = 60_000
const FORGOTTEN_PER_STEP = 1_000

const statementOf = (productName: string) =>
  `Sign in to ${productName}. This signature only proves that this wallet is yours: it moves no money and approves nothing.`

export interface NonceDependencies {
  readonly nonces: NonceStore
  readonly clock: Clock
  readonly chainId: number
  readonly productName: string
  /** The address that the operator is paid at, in lower case: it is no user's. */
  readonly operator: string
  /** The address that people open the app at. */
  readonly publicUrl: () => string
  readonly nonceTtlMs: number
}

/**
 * Issues the EIP-4361 message for an address to sign.
 *
 * Requests for another person's address cannot end that person's sign-in: no open message is closed, and each returned
 * message stays valid for at least half of its life (docs/decisions/0004-open-nonces.md).
 *
 * @throws Refusal `invalid_account`.
 */
export async function getNonce(deps: NonceDependencies, addressText: string): Promise<{ nonceStr: string }> {
  const { nonces, clock, nonceTtlMs } = deps
  const userId = parseUserAddress(deps, addressText)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const now = clock.now()
    const plan = planNonce(await nonces.open(userId, now), { now, nonceTtlMs })
    if ('again' in plan) return { nonceStr: plan.again.message }
    const row = newNonce(deps, { userId, slot: plan.slot, now })
    if (await nonces.insert(userId, row)) return { nonceStr: row.message }
  }
  throw new NotReady('the slots of an address change too fast')
}

/**
 * Reads the address of a user. The operator's is refused: a payment to it would count both as the operator's and as a user's.
 *
 * @throws Refusal `invalid_account`.
 */
export function parseUserAddress({ operator }: Pick<NonceDependencies, 'operator'>, text: string): `0x${string}` {
  const userId = parseAddress(text)
  if (userId === operator) throw refusal('invalid_account', { reason: 'Address belongs to the operator' })
  return userId
}

/**
 * Chooses a free slot for a new nonce, or the newest open one to be returned again.
 *
 * @param open the newest first.
 */
function planNonce(
  open: readonly NonceRow[],
  { now, nonceTtlMs }: { readonly now: Date; readonly nonceTtlMs: number },
): { readonly slot: number } | { readonly again: NonceRow } {
  const [newest] = open
  const recent = open.filter((each) => now.getTime() - each.issued_at.getTime() < nonceTtlMs / 2)
  const isEnough = open.length >= FREE_NONCES && recent.length >= NONCES_PER_HALF_LIFE
  const taken = new Set(open.map((each) => each.slot))
  const slot = SLOTS.find((each) => !taken.has(each))
  if (newest && (isEnough || slot === undefined)) return { again: newest }
  assert(slot !== undefined, 'an address without open nonces has a free slot')
  return { slot }
}

function newNonce(
  { chainId, productName, publicUrl, nonceTtlMs }: NonceDependencies,
  { userId, slot, now }: { readonly userId: string; readonly slot: number; readonly now: Date },
): NonceRow {
  const nonce = randomBytes(16).toString('hex')
  const expiresAt = new Date(now.getTime() + nonceTtlMs)
  const message = createSiweMessage({
    domain: new URL(publicUrl()).host,
    address: getAddress(userId),
    statement: statementOf(productName),
    uri: publicUrl(),
    version: '1',
    chainId,
    nonce,
    issuedAt: now,
    expirationTime: expiresAt,
  })
  return { slot, nonce, message, issued_at: now, expires_at: expiresAt }
}

/** Deletes expired nonces, so that addresses which never ask again leave nothing behind. */
export const forgetNonces = defineJob({
  name: 'session.forget-nonces',
  recurs: { everyMs: FORGET_EVERY_MS },
  async step(tx, { now }) {
    const deleted = await deleteExpiredNonces(tx, now, FORGOTTEN_PER_STEP)
    return deleted < FORGOTTEN_PER_STEP ? 'done' : { next: {} }
  },
})
