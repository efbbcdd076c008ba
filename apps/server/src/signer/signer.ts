import type { Database } from '@clearwell/ledger/database'
import { NotReady } from '@clearwell/ledger/writer'
import type { AssetId } from '@clearwell/money/asset'
import { type WithdrawalVoucher, withdrawalDomain, withdrawalTypes } from '@clearwell/vault/abi/withdrawal-typed-data'
import { hashTypedData } from 'viem'
import type { LocalAccount } from 'viem/accounts'
import type { Chain } from '../chain/chain.ts'
import type { Clock } from '../time/clock.ts'
import { voucherStore } from './signer.store.ts'

/** One day by which the caps roll. */
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
}

export interface SignerOptions {
  readonly db: Database
  readonly clock: Clock
  readonly account: LocalAccount
  readonly chainId: number
  readonly vault: `0x${string}`
  readonly assets: readonly SignerAsset[]
  readonly chain: Pick<Chain, 'vaultState'>
  readonly checkSolvency: SolvencyPort
  readonly onError: (error: unknown, doing: string) => void
}

/**
 * The signer, with a key and caps of its own: whatever asks it, no more leaves in any 24 hours than its caps allow.
 *
 * What it decides of a nonce it writes down before it answers, and never changes.
 */
export function createSigner(options: SignerOptions): Signer {
  const { db, clock, account, chainId, vault, assets, chain, checkSolvency, onError } = options
  const address = account.address.toLowerCase()
  const domain = withdrawalDomain({ chainId, vault })
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

  const dayBefore = (now: Date) => new Date(now.getTime() - DAY_MS)

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
      const typed = { domain, types: withdrawalTypes, primaryType: 'Withdrawal', message: voucher } as const
      const digest = hashTypedData(typed)
      const found = listed(voucher.asset)
      const stopped = await whyStopped()
      const outcome = await db.transaction(async (tx) => {
        const asset = found?.asset ?? voucher.asset.toLowerCase()
        // Whoever signs for the same asset at the same time waits here, so that both do not take what is left for one.
        await voucherStore.lockAsset(tx, asset)
        const before = await voucherStore.find(tx, voucher.nonce)
        if (before) return again(before, digest, stopped)
        const now = clock.now()
        const signedToday = await voucherStore.signedSince(tx, asset, dayBefore(now))
        const reason = stopped ?? whyRefused(voucher, found, now, signedToday)
        const row = {
          nonce: voucher.nonce,
          digest,
          asset,
          units: voucher.amount,
          signed_at: now,
          refused: reason ?? null,
        }
        if (await voucherStore.keep(tx, row)) return reason === undefined ? signed : refused(reason)
        // A voucher of the same nonce in another asset was quicker.
        return withheld('nonce_of_another_voucher')
      })
      return outcome.status === 'signed' ? { ...outcome, signature: await account.signTypedData(typed) } : outcome
    },
  }
}

const signed = { status: 'signed' } as const
const refused = (reason: string) => ({ status: 'refused', reason }) as const
const withheld = (reason: string) => ({ status: 'withheld', reason }) as const

/** What a voucher is answered whose nonce was decided on before. */
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
  if (amount > asset.perVoucher) return 'over_voucher_cap'
  return signedToday + amount > asset.perDay ? 'over_day_cap' : undefined
}
