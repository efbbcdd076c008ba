import type { Database, Queryable } from '@clearwell/ledger/database'
import { NotReady } from '@clearwell/ledger/writer'
import type { AssetId } from '@clearwell/money/asset'
import { type WithdrawalVoucher, withdrawalDomain, withdrawalTypes } from '@clearwell/vault/abi/withdrawal-typed-data'
import { hashTypedData } from 'viem'
import type { LocalAccount } from 'viem/accounts'
import type { Chain, ChainBlock } from '../chain/chain.ts'
import type { Clock } from '../time/clock.ts'
import { voucherStore } from './signer.store.ts'

/** One day by which the caps roll. No voucher pays longer, or those of many days could be paid on one. */
const DAY_MS = 86_400_000

/** An asset that the signer signs for, and how much of it. Everything in the token's own base units. */
export interface SignerAsset {
  readonly asset: AssetId
  /** The token's contract, or the zero address for the native coin. */
  readonly token: `0x${string}`
  readonly perVoucher: bigint
  /** What all vouchers of any 24 hours may come to. */
  readonly perDay: bigint
}

/** Why nothing is signed at all, in one word for the clients: the vault's state, or what the solvency check says. */
export type SignerStop = 'withdrawals_paused' | 'signer_not_accepted' | (string & {})

/** Whether everything that is owed is there. */
export type SolvencyPort = () => Promise<{ ok: true } | { ok: false; reason: string }>

export type SigningOutcome =
  | { readonly status: 'signed'; readonly signature: `0x${string}` }
  /** Refused for ever: no signature of this nonce exists, nor will there ever be one. */
  | { readonly status: 'refused'; readonly reason: string }
  /** Not handed out, although a signature of this nonce may exist. */
  | { readonly status: 'withheld'; readonly reason: string }

/** What it would sign for now, in the token's own base units. */
export type SignerRoom =
  | { readonly stopped: SignerStop }
  | { readonly stopped?: undefined; readonly perVoucher: bigint; readonly leftToday: bigint }

/** The one part of the server that can let money out of the vault. It knows vouchers, and nothing of orders or users. */
export interface Signer {
  /** In lower case. */
  readonly address: string
  /** @throws NotReady when the chain cannot be read. */
  room(token: `0x${string}`): Promise<SignerRoom>
  /**
   * Signs a voucher. The same voucher again is answered the same again, and counts once.
   *
   * @throws NotReady when the chain cannot be read: nothing was signed and nothing refused.
   */
  sign(voucher: WithdrawalVoucher): Promise<SigningOutcome>
  /**
   * Stops counting vouchers that can pay no more, so that nobody uses up the day's cap with what he never submits. The
   * chain itself is asked: what was paid, what can be paid yet and what was signed otherwise stays counted.
   *
   * @param at a block that is final.
   * @throws whatever the chain throws when it cannot be read.
   */
  lapse(vouchers: readonly WithdrawalVoucher[], at: ChainBlock): Promise<void>
}

export interface SignerOptions {
  readonly db: Database
  readonly clock: Clock
  readonly account: LocalAccount
  readonly chainId: number
  readonly vault: `0x${string}`
  readonly assets: readonly SignerAsset[]
  readonly chain: Pick<Chain, 'block' | 'isNonceUsed' | 'vaultState'>
  readonly checkSolvency: SolvencyPort
  readonly onError: (error: unknown, doing: string) => void
}

/**
 * The signer, with a key and caps of its own: whatever asks it, it signs no more in any 24 hours than its caps allow, what
 * was never paid aside, and nothing that pays for longer than a day.
 *
 * What it decides of a nonce it writes down before it answers, and never changes.
 */
export function createSigner(options: SignerOptions): Signer {
  const { db, clock, account, chainId, vault, assets, chain, checkSolvency, onError } = options
  const address = account.address.toLowerCase()
  const domain = withdrawalDomain({ chainId, vault })
  const typedOf = (message: WithdrawalVoucher) =>
    ({ domain, types: withdrawalTypes, primaryType: 'Withdrawal', message }) as const
  const listed = (token: string) => assets.find((each) => each.token.toLowerCase() === token.toLowerCase())

  /** Why nothing may be signed now, if so. Asked before each signing. */
  async function whyStopped(): Promise<SignerStop | undefined> {
    try {
      const { isPaused, signer } = await chain.vaultState()
      if (isPaused) return 'withdrawals_paused'
      if (signer !== address) return 'signer_not_accepted'
      const solvency = await checkSolvency()
      return solvency.ok ? undefined : solvency.reason
    } catch (cause) {
      if (cause instanceof NotReady) throw cause
      onError(cause, 'signer')
      throw new NotReady('the chain cannot be read, so nothing is signed', { cause })
    }
  }

  return {
    address,
    async room(token) {
      const stopped = await whyStopped()
      if (stopped !== undefined) return { stopped }
      const found = listed(token)
      if (!found) return { perVoucher: 0n, leftToday: 0n }
      const signed = await voucherStore.signedSince(db, found.asset, dayBefore(clock.now()))
      return { perVoucher: found.perVoucher, leftToday: found.perDay > signed ? found.perDay - signed : 0n }
    },
    async sign(voucher) {
      const typed = typedOf(voucher)
      const digest = hashTypedData(typed)
      const found = listed(voucher.asset)
      const stopped = await whyStopped()
      const now = () => clock.now()
      const outcome = await db.transaction((tx) => decide(tx, { voucher, digest, asset: found, stopped, now }))
      return outcome.status === 'signed' ? { ...outcome, signature: await account.signTypedData(typed) } : outcome
    },
    async lapse(vouchers, at) {
      const used = await Promise.all(vouchers.map(({ nonce }) => chain.isNonceUsed(nonce, at.number)))
      // Asked after the nonces, so that all answers are of that block's fork.
      const block = await chain.block(at.number)
      if (block?.hash !== at.hash) return
      const lapsed = vouchers.filter(({ deadline }, index) => !used[index] && secondsOf(block.time) > deadline)
      if (lapsed.length === 0) return
      const rows = lapsed.map((voucher) => ({ nonce: voucher.nonce, digest: hashTypedData(typedOf(voucher)) }))
      await voucherStore.lapse(db, rows, clock.now())
    },
  }
}

const signed = { status: 'signed' } as const
const refused = (reason: string) => ({ status: 'refused', reason }) as const
const withheld = (reason: string) => ({ status: 'withheld', reason }) as const

/** Decides on a voucher and records the decision, unless its nonce was decided on before. */
async function decide(
  tx: Queryable,
  input: {
    readonly voucher: WithdrawalVoucher
    readonly digest: string
    /** Absent where the signer does not sign for the voucher's asset. */
    readonly asset: SignerAsset | undefined
    readonly stopped: SignerStop | undefined
    readonly now: () => Date
  },
) {
  const { voucher, digest, asset, stopped } = input
  const name = asset?.asset ?? voucher.asset.toLowerCase()
  // Other signings for the same asset wait here, so that two of them do not use the same rest of the day's cap.
  await voucherStore.lockAsset(tx, name)
  const before = await voucherStore.find(tx, voucher.nonce)
  if (before) return again(before, digest, stopped)
  const now = input.now()
  const signedToday = await voucherStore.signedSince(tx, name, dayBefore(now))
  const reason = stopped ?? whyRefused(voucher, asset, now, signedToday)
  const row = {
    nonce: voucher.nonce,
    digest,
    asset: name,
    units: voucher.amount,
    signed_at: now,
    refused: reason ?? null,
  }
  if (await voucherStore.keep(tx, row)) return reason === undefined ? signed : refused(reason)
  // A voucher of the same nonce in another asset was quicker.
  return withheld('nonce_of_another_voucher')
}

/** The outcome for a voucher whose nonce was decided on before. */
function again(before: { digest: string; refused: string | null }, digest: string, stopped: SignerStop | undefined) {
  if (before.digest !== digest) return withheld('nonce_of_another_voucher')
  if (before.refused !== null) return refused(before.refused)
  return stopped === undefined ? signed : withheld(stopped)
}

/** The signer's own rules of one voucher. */
function whyRefused(
  { amount, deadline }: WithdrawalVoucher,
  asset: SignerAsset | undefined,
  now: Date,
  signedToday: bigint,
): string | undefined {
  if (!asset) return 'asset_not_listed'
  if (amount <= 0n) return 'nothing'
  if (deadline * 1000n <= BigInt(now.getTime())) return 'deadline_passed'
  if (deadline * 1000n > BigInt(now.getTime() + DAY_MS)) return 'deadline_too_far'
  if (amount > asset.perVoucher) return 'over_voucher_cap'
  return signedToday + amount > asset.perDay ? 'over_day_cap' : undefined
}

function dayBefore(now: Date): Date {
  return new Date(now.getTime() - DAY_MS)
}

/** A block's time has no fractions. */
function secondsOf(time: Date): bigint {
  return BigInt(time.getTime()) / 1000n
}
