import type { VoucherRefusal, WithdrawalStop } from '@clearwell/api/refusal-reasons'
import type { Database, Queryable } from '@clearwell/ledger/database'
import { NotReady } from '@clearwell/ledger/writer'
import type { AssetId } from '@clearwell/money/asset'
import { DAY_MS } from '@clearwell/rules/spans'
import type { RootVoucher, WithdrawalVoucher } from '@clearwell/vault/abi/withdrawal-typed-data'
import type { LocalAccount } from 'viem/accounts'
import type { Chain, ChainBlock } from '../chain/chain.ts'
import type { Report } from '../log/report.ts'
import { cached } from '../time/cached.ts'
import type { Clock } from '../time/clock.ts'
import { type DailyCaps, type DayRoom, dayOf, readDayRoom } from './daily-caps.ts'
import { type SignerRefusal, voucherStore } from './signer.store.ts'
import { createVaultSigner } from './vault-signer.ts'
import { plainVoucher, rootVoucher } from './voucher-data.ts'
import { findRootFault, type LockProof, type RootKeys } from './voucher-root.ts'

/** How long reads share one sum of the global cap, in milliseconds. Signing never uses it. */
const SHARED_SUM_MS = 1_000

/** An asset that the signer signs for, with its caps. All amounts are in the token's own base units. */
export interface SignerAsset extends DailyCaps {
  readonly asset: AssetId
  /** The token's contract, or the zero address for the native coin. */
  readonly token: `0x${string}`
  readonly perVoucher: bigint
}

/** Checks that the vault holds everything that is owed. */
export type SolvencyPort = () => Promise<{ ok: true } | { ok: false; reason: WithdrawalStop }>

/** The reason why signing is stopped, or `undefined`, as it was read for one call. */
export interface SigningCheck {
  readonly stopped: WithdrawalStop | undefined
}

export type SigningOutcome =
  | { readonly status: 'signed'; readonly signature: `0x${string}` }
  /** Permanently refused: no signature for this nonce exists or will ever exist. */
  | { readonly status: 'refused'; readonly reason: SignerRefusal }
  /** Not returned, although a signature for this nonce may exist. */
  | { readonly status: 'withheld'; readonly reason: string }

/** The same without the signature. */
export type VoucherDecision = Exclude<SigningOutcome, { readonly status: 'signed' }> | { readonly status: 'signed' }

/** The amounts that the signer would sign for an account now, in the token's own base units. */
export type SignerRoom =
  | { readonly stopped: WithdrawalStop }
  | { readonly stopped?: undefined; readonly perVoucher: bigint; readonly today: DayRoom }

/** The only part of the server that can authorize payments by the vault. It knows vouchers, but no orders or users. */
export interface Signer {
  /** In lower case. */
  readonly address: string
  /**
   * The account whose signatures the vault accepts, in lower case, at most some seconds old; `undefined` while the chain
   * cannot be read.
   */
  acceptedSigner(): Promise<string | undefined>
  /**
   * @param account in lower case.
   * @throws NotReady when the chain cannot be read.
   */
  room(token: `0x${string}`, account: string): Promise<SignerRoom>
  /** The part of the daily caps that is left for an account, at most a second old. Does not ask the chain. */
  dayRoom(token: `0x${string}`, account: string): Promise<DayRoom>
  /**
   * Reads whether vouchers can be signed now, for several that one call signs.
   *
   * @throws NotReady when the chain cannot be read.
   */
  check(): Promise<SigningCheck>
  /**
   * Signs a voucher. A repeated request for the same voucher gets the same outcome, and counts once.
   *
   * @param check the result of {@link Signer.check} for this call; absent: it is read now.
   * @param lock a root that holds the voucher's lock: without it, the vault with exits gets no signature, and nothing is decided.
   * @throws NotReady when the chain cannot be read: the voucher was neither signed nor refused.
   */
  sign(voucher: AnyVoucher, check?: SigningCheck, lock?: LockProof): Promise<SigningOutcome>
  /**
   * Decides that a voucher will never be signed, unless it is decided already. Does not ask the chain.
   *
   * @returns the decision: `signed` if a signature may exist.
   */
  cancel(voucher: WithdrawalVoucher): Promise<VoucherDecision>
  /**
   * Stops counting expired, unpaid vouchers toward the daily cap, so that unsubmitted vouchers cannot use it up. Reads the
   * chain itself: vouchers that were paid, that can still be paid, or that were signed differently still count.
   *
   * @param at a block that is final.
   * @throws the chain's errors when it cannot be read.
   */
  expireVouchers(vouchers: readonly AnyVoucher[], at: ChainBlock): Promise<void>
}

/** A voucher, with a root for the vault with exits. */
export type AnyVoucher = WithdrawalVoucher & Partial<Pick<RootVoucher, 'root'>>

export interface SignerOptions {
  readonly db: Database
  readonly clock: Clock
  readonly account: LocalAccount
  readonly chainId: number
  readonly vault: `0x${string}`
  /** The keys of the roots that vouchers name. Absent: the vault has no exits, and its vouchers name none. */
  readonly rootKeys?: RootKeys | undefined
  readonly assets: readonly SignerAsset[]
  /** Reads the same assets with the caps in force. Absent: those of `assets` never change. */
  readonly assetsInForce?: () => Promise<readonly SignerAsset[]>
  readonly chain: Pick<Chain, 'block' | 'isNonceUsed' | 'vaultState'>
  readonly checkSolvency: SolvencyPort
  readonly onError: Report
}

/**
 * Creates the signer, with its own key and caps. It enforces its caps in any 24 hours for every account and for all of
 * them, not counting expired unpaid vouchers, and signs nothing that is valid for longer than a day.
 *
 * It stores its decision for a nonce before it responds, and never changes it.
 */
export function createSigner(options: SignerOptions): Signer {
  const { db, clock, account, chainId, vault, rootKeys, assets, chain } = options
  const address = account.address.toLowerCase()
  const of = { chainId, vault }
  const dataOf = ({ root = NO_ROOT, ...voucher }: AnyVoucher) =>
    rootKeys ? rootVoucher(of, { ...voucher, root }) : plainVoucher(of, voucher)
  const inForce = async (token: string) => findAsset((await options.assetsInForce?.()) ?? assets, token)

  const accepted = createVaultSigner({ chain, clock })
  const findStop = createStopFinder(options, accepted.set)
  const inputOf = (caps: SignerAsset, account: string) => ({ day: dayOf(caps.asset, clock.now()), caps, account })
  const usedByAll = cached({
    read: (found: SignerAsset) => voucherStore.usedByAll(db, dayOf(found.asset, clock.now()), found.unit),
    maxAgeMs: SHARED_SUM_MS,
    clock,
  })

  return {
    address,
    acceptedSigner: accepted.read,
    async room(token, account) {
      const stopped = await findStop()
      if (stopped !== undefined) return { stopped }
      const found = await inForce(token)
      if (!found) return { perVoucher: 0n, today: NO_ROOM }
      return { perVoucher: found.perVoucher, today: await readDayRoom(db, inputOf(found, account)) }
    },
    async dayRoom(token, account) {
      const [found, sharedKey] = [await inForce(token), findAsset(assets, token)]
      if (!found || !sharedKey) return NO_ROOM
      return readDayRoom(db, inputOf(found, account), () => usedByAll.get(sharedKey))
    },
    check: async () => ({ stopped: await findStop() }),
    async sign(voucher, check, lock) {
      const data = dataOf(voucher)
      const { digest } = data
      const fault =
        rootKeys &&
        (await findRootFault({ ...voucher, root: voucher.root ?? NO_ROOT }, lock, { ...of, keys: rootKeys }))
      if (fault) return withheld(fault)
      const found = await inForce(voucher.asset)
      const { stopped } = check ?? { stopped: await findStop() }
      const now = () => clock.now()
      const outcome = await db.transaction((tx) => decide(tx, { voucher, digest, asset: found, stopped, now }))
      return outcome.status === 'signed' ? { ...outcome, signature: await data.signBy(account) } : outcome
    },
    async cancel(voucher) {
      const { digest } = dataOf(voucher)
      const asset = findAsset(assets, voucher.asset)
      const now = () => clock.now()
      return db.transaction((tx) => decide(tx, { voucher, digest, asset, stopped: 'cancelled', now }))
    },
    async expireVouchers(vouchers, at) {
      const used = await Promise.all(vouchers.map(({ nonce }) => chain.isNonceUsed(nonce, at.number)))
      // Read after the nonces, so that all responses are from that block's fork.
      const block = await chain.block(at.number)
      if (block?.hash !== at.hash) return
      const expired = vouchers.filter(({ deadline }, index) => !used[index] && secondsOf(block.time) > deadline)
      if (expired.length === 0) return
      const rows = expired.map((voucher) => ({ nonce: voucher.nonce, digest: dataOf(voucher).digest }))
      await db.transaction((tx) => voucherStore.markExpired(tx, rows, clock.now(), unitIn(assets)))
    },
  }
}

/**
 * Creates the check before each signing: it returns the reason why signing is stopped, or `undefined`.
 *
 * @param onSigner receives the account whose signatures the vault accepts.
 */
function createStopFinder(
  { account, chain, checkSolvency, onError }: SignerOptions,
  onSigner: (signer: string) => void,
): () => Promise<WithdrawalStop | undefined> {
  return async () => {
    try {
      const { isPaused, signer } = await chain.vaultState()
      onSigner(signer)
      if (isPaused) return 'withdrawals_paused'
      if (signer !== account.address.toLowerCase()) return 'signer_not_accepted'
      const solvency = await checkSolvency()
      return solvency.ok ? undefined : solvency.reason
    } catch (cause) {
      if (cause instanceof NotReady) throw cause
      onError(cause, 'signer')
      throw new NotReady('the chain cannot be read, so nothing is signed', { cause, part: 'chain' })
    }
  }
}

function findAsset(assets: readonly SignerAsset[], token: string): SignerAsset | undefined {
  return assets.find((each) => each.token.toLowerCase() === token.toLowerCase())
}

function unitIn(assets: readonly SignerAsset[]): (name: string) => bigint {
  return (name) => assets.find(({ asset }) => asset === name)?.unit ?? 1n
}

/** No header has this number. */
const NO_ROOT = 0n

const NO_ROOM: DayRoom = { left: 0n, limitedBy: 'all_accounts', moreAt: undefined }
const signed = { status: 'signed' } as const
const refused = (reason: SignerRefusal) => ({ status: 'refused', reason }) as const
const withheld = (reason: string) => ({ status: 'withheld', reason }) as const

/** Decides on a voucher and records the decision, unless its nonce was decided on before. */
async function decide(
  tx: Queryable,
  input: {
    readonly voucher: WithdrawalVoucher
    readonly digest: string
    /** Absent if the signer does not sign for the voucher's asset. */
    readonly asset: SignerAsset | undefined
    readonly stopped: WithdrawalStop | 'cancelled' | undefined
    readonly now: () => Date
  },
) {
  const { voucher, digest, asset, stopped } = input
  const name = asset?.asset ?? voucher.asset.toLowerCase()
  const account = voucher.account.toLowerCase()
  // Serializes signing per asset, so that two vouchers cannot use the same remainder of the daily cap.
  await voucherStore.lockAsset(tx, name)
  const before = await voucherStore.find(tx, voucher.nonce)
  if (before) return repeatOutcome(before, digest, stopped)
  const now = input.now()
  if (asset) await voucherStore.sumMinutes(tx, dayOf(name, now), asset.unit)
  const today = asset ? await readDayRoom(tx, { day: dayOf(name, now), caps: asset, account }) : NO_ROOM
  const reason = stopped ?? findRefusal(voucher, asset, now, today)
  const row = {
    nonce: voucher.nonce,
    digest,
    account,
    asset: name,
    units: voucher.amount,
    signed_at: now,
    refused: reason ?? null,
  }
  if (await voucherStore.insert(tx, row)) return reason === undefined ? signed : refused(reason)
  // A voucher with the same nonce in another asset was stored first.
  return withheld('nonce_of_another_voucher')
}

/** Returns the outcome for a nonce that was decided before. */
function repeatOutcome(
  before: { digest: string; refused: SignerRefusal | null },
  digest: string,
  stopped: WithdrawalStop | 'cancelled' | undefined,
) {
  // It may name another root by now, or none yet.
  if (before.refused === 'cancelled') return refused(before.refused)
  if (stopped === 'cancelled') return before.refused === null ? signed : refused(before.refused)
  if (before.digest !== digest) return withheld('nonce_of_another_voucher')
  if (before.refused !== null) return refused(before.refused)
  return stopped === undefined ? signed : withheld(stopped)
}

/** Applies the signer's own rules to one voucher. */
function findRefusal(
  { amount, deadline }: WithdrawalVoucher,
  asset: SignerAsset | undefined,
  now: Date,
  today: DayRoom,
): VoucherRefusal | undefined {
  if (!asset) return 'asset_not_listed'
  if (amount <= 0n) return 'nothing'
  if (deadline * 1000n <= BigInt(now.getTime())) return 'deadline_passed'
  if (deadline * 1000n > BigInt(now.getTime() + DAY_MS)) return 'deadline_too_far'
  if (amount > asset.perVoucher) return 'over_voucher_cap'
  if (amount <= today.left) return undefined
  return today.limitedBy === 'account' ? 'over_account_cap' : 'over_day_cap'
}

/** Converts a block's time, which has whole seconds. */
function secondsOf(time: Date): bigint {
  return BigInt(time.getTime()) / 1000n
}
