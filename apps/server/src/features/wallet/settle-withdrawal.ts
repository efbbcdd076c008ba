import { NotReady, type Writer } from '@clearwell/ledger/writer'
import type { Custody } from '../../platform/chain/chain.ts'
import type { Report } from '../../platform/log/report.ts'
import type { Signer, SigningCheck } from '../../platform/signer/signer.ts'
import type { LockProof } from '../../platform/signer/voucher-root.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { recordSignature, releaseRefused } from './close-withdrawal.ts'
import { voucherOf } from './voucher.ts'
import type { WalletStore } from './wallet.store.ts'
import { needsSignatureOf, type WithdrawalRow } from './withdrawal-orders.ts'

/** Locked orders that a start settles. The others are settled when their users ask, or expire. */
const MAX_RESUMED = 1_000

export interface SettleDependencies {
  readonly store: WalletStore
  readonly writer: Writer
  readonly signer: Signer
  readonly clock: Clock
  readonly custody: Pick<Custody, 'tokens'>
  /** Finds the root that a voucher names. Absent for a vault without exits, whose vouchers name none. */
  readonly findLock?: (order: WithdrawalRow) => Promise<LockProof | undefined>
}

/**
 * Moves an order from locked to signed, or returns its amount if the signer refused it permanently. An order with the
 * signature of another signer gets one of this signer, for the same voucher. Safe to call concurrently and after any crash:
 * the signer decides once per nonce, and the ledger records the decision once.
 *
 * With exits, the order waits until a header with both signatures holds its lock, and the voucher names that header.
 *
 * Nothing is signed for a frozen account: its order stays locked, and returns when the voucher would have expired.
 *
 * @param check reads whether vouchers can be signed now. A list of orders shares one read.
 * @throws NotReady if the chain or the ledger cannot be reached; the order stays locked.
 */
export async function settleWithdrawal(
  deps: SettleDependencies,
  order: WithdrawalRow,
  check: () => Promise<SigningCheck> = () => deps.signer.check(),
): Promise<void> {
  const { store, writer, signer, clock, custody } = deps
  if (!needsSignatureOf(signer.address, order)) return
  if (!writer.isWriting) throw new NotReady('this process does not hold the writer lease')
  if (await store.isFrozen(order.user_id, clock.now())) return
  const lock = await deps.findLock?.(order)
  if (deps.findLock && !lock) return
  const root = lock?.root.header.number ?? null
  const outcome = await signer.sign(voucherOf(custody, { ...order, root }), await check(), lock)
  const orderId = order.id
  switch (outcome.status) {
    case 'signed': {
      const { signature } = outcome
      await writer.execute(recordSignature({ orderId, signature, signedBy: signer.address, root }))
      return
    }
    case 'refused':
      await writer.execute(releaseRefused({ orderId, reason: outcome.reason }))
      return
    case 'withheld':
      // A signature may exist, so the amount stays locked until the deadline is final.
      return
  }
}

/** Settles orders that an earlier process left locked. If settling fails, an order stays locked. */
export async function resumeWithdrawals(deps: SettleDependencies, onError: Report): Promise<void> {
  await settleEach(deps, await deps.store.lockedWithdrawals(MAX_RESUMED), onError)
}

/**
 * Signs the open vouchers of an earlier signer again, once the vault accepts this one: the vault rejects the earlier
 * signatures. Each voucher keeps its nonce and content, so it still pays only once.
 */
export async function signAgain(deps: SettleDependencies, now: Date, onError: Report): Promise<void> {
  const { store, signer, writer } = deps
  if (!writer.isWriting) return
  const orders = await store.signedByOthers(signer.address, now, MAX_RESUMED)
  if (orders.length === 0 || (await signer.acceptedSigner()) !== signer.address) return
  await settleEach(deps, orders, onError)
}

async function settleEach(deps: SettleDependencies, orders: readonly WithdrawalRow[], onError: Report): Promise<void> {
  for (const order of orders) {
    try {
      await settleWithdrawal(deps, order)
    } catch (error) {
      onError(error, `withdrawal ${order.id}`)
      if (error instanceof NotReady) return
    }
  }
}
