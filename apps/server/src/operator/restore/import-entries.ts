import { type Command, type Context, write } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import type { Writer } from '@clearwell/ledger/writer'
import { boxSettlements } from '../../domain/boxes/box.tables.ts'
import { bookPayment, type ExitPayment } from '../../features/exit/book-payment.ts'
import { withdrawalRules } from '../../features/wallet/complete-withdrawal.ts'
import type { ChainWithdrawal } from '../../platform/chain/chain.ts'
import { countExit } from '../../platform/custody/counted-exits.ts'
import { creditDeposit } from '../../platform/custody/credit-deposit.ts'
import { exitPayments, payExit } from '../../platform/custody/exit-payments.ts'
import { recordUnknown, unknownWithdrawals } from '../../platform/custody/unknown-payouts.ts'
import { countEvent } from '../../platform/custody/vault-counters.ts'
import { frozenAccounts } from '../../platform/ledger/frozen-accounts.ts'
import { restores } from '../../platform/ledger/restores.ts'
import type { RowLine } from '../../platform/ledger/row-lines.ts'
import { isOfCollateral, outcomeOf, ownersIn, treatmentOf } from './entry-kinds.ts'
import type { Payment, Payments } from './find-payments.ts'
import type { RestorePlan } from './plan-restore.ts'
import type { StoredEntry } from './read-store.ts'
import { activateAgain } from './rebuild-activations.ts'
import { changeCollateral } from './rebuild-collateral.ts'
import { endOrder, reopenOrder } from './rebuild-orders.ts'
import { lineKeys, writeLines } from './rebuild-rows.ts'

/** Commands that wait at a time. */
const PER_STEP = 500
const FREEZE_MS = 14 * 86_400_000

export interface ImportRules {
  readonly chainId: number
  /** In lower case. */
  readonly operator: string
  readonly vault: string
  /** The account that signed the ledger's last voucher, in lower case. */
  readonly lastSigner: string | null
  /** Shown to the users whose accounts are frozen. */
  readonly reason: string
  /** The time of the restore: from it the freezes count. */
  readonly now: Date
  readonly restoreId: string
}

/**
 * Imports entries in their order, each with the rows that belong to it: a payment is known by its log, a place is the one of the store, and
 * the users of an entry whose object is gone are frozen. An interruption leaves whole entries.
 *
 * @param clock the writer's, which is set to the time of each entry.
 * @throws Error if a command would post something else than the entry of the store.
 */
export async function importEntries(
  { writer, clock }: { readonly writer: Writer; readonly clock: { at: Date } },
  { entries, rows, bare }: Pick<RestorePlan, 'entries' | 'rows' | 'bare'>,
  payments: Payments,
  rules: ImportRules,
): Promise<void> {
  const partsOf = groupParts({ rows, bare }, payments)
  const first = entries[0]?.seq
  // Those of commands without an entry, after the last one of the database.
  const before = rows.lines.filter(({ to_seq }) => first === undefined || to_seq < first)
  for (const line of before) await writer.execute(importLine(line))
  for (let from = 0; from < entries.length; from += PER_STEP) {
    const step = entries.slice(from, from + PER_STEP).map((entry) => {
      clock.at = entry.at
      return writer.execute(importEntry(entry, partsOf(entry.seq), rules))
    })
    await Promise.all(step)
  }
}

/** The parts that belong to an entry. */
interface EntryParts {
  readonly payment: Payment | undefined
  /** Its rows are in a line. */
  readonly isCovered: boolean
  /** It pays for an activation whose rows are in no line. */
  readonly activates: boolean
  /** The lines of its command, if it is the last entry of it, and of commands without an entry before the next one. */
  readonly lines: readonly RowLine[]
}

function groupParts(
  { rows: { lines, covers }, bare }: Pick<RestorePlan, 'rows' | 'bare'>,
  payments: Payments,
): (seq: bigint) => EntryParts {
  const byEntry = Map.groupBy(lines, ({ to_seq }) => to_seq)
  const activating = new Set(bare.map(({ seq }) => seq))
  return (seq) => ({
    ...{ payment: payments.get(seq), isCovered: covers(seq), activates: activating.has(seq) },
    lines: byEntry.get(seq) ?? [],
  })
}

function importLine(line: RowLine): Command<null> {
  return {
    ...{ kind: 'restore_rows', owner: 'restore', payload: {}, preload: lineKeys([line]) },
    decide(state, context) {
      const draft = new Draft(state)
      writeLines(draft, context, [line])
      return draft.plan(null)
    },
  }
}

function importEntry(entry: StoredEntry, parts: EntryParts, rules: ImportRules): Command<null> {
  const { payment, isCovered, activates, lines } = parts
  const { kind, reference, postings } = entry
  return {
    ...{ kind: 'restore_entry', owner: 'restore', payload: {} },
    preload: [
      { table: restores, id: rules.restoreId },
      ...lineKeys(lines),
      ...postings.map(({ account, asset }) => ({ account, asset })),
    ],
    decide(state, context) {
      const draft = new Draft(state)
      const restore = state.row(restores, rules.restoreId)
      // After one that has failed, none may take its number.
      if (restore?.last_seq !== entry.seq - 1n) throw new Error(`entry ${entry.seq - 1n} is missing`)
      draft.add({ rows: [write(restores, { ...restore, last_seq: entry.seq })] })
      if (payment && 'deposit' in payment) creditDeposit({ ...rules, purposes: [] }, draft, context, payment.deposit)
      else if (payment && 'exit' in payment) leave(draft, context, payment.exit, rules)
      else if (payment) payOut(draft, context, payment.withdrawal, { entry, rules })
      else if (kind === 'withdrawal_lock') reopenOrder(draft, context, entry)
      else if (kind === 'withdrawal_release') endOrder(draft, entry)
      else if (isOfCollateral(kind) && !isCovered) changeCollateral(draft, entry)
      else draft.add({ entries: [{ kind, reference, postings }] })
      if (activates) activateAgain(draft, context, entry)
      if (treatmentOf(kind) === 'freeze' && !isCovered) freezeOwners(draft, entry, rules)
      const outcome = isCovered ? outcomeOf(kind) : undefined
      if (outcome) draft.add({ rows: [write(boxSettlements, { id: reference, outcome, settled_at: entry.at })] })
      writeLines(draft, context, lines)
      const plan = draft.plan(null)
      if (textOf(plan.entries ?? []) !== textOf([entry])) throw new Error(`entry ${entry.seq} would be another one`)
      return plan
    },
  }
}

const textOf = (entries: readonly Pick<StoredEntry, 'kind' | 'reference' | 'postings'>[]) =>
  JSON.stringify(
    entries.map(({ kind, reference, postings }) => [
      kind,
      reference,
      postings.map(({ account, asset, units }) => [account, asset, `${units}`]),
    ]),
  )

/** Completes the order of a payment. One whose order is gone is recorded as settled by the account's locked amount. */
function payOut(
  draft: Draft,
  context: Context,
  withdrawal: ChainWithdrawal,
  { entry, rules }: { readonly entry: StoredEntry; readonly rules: ImportRules },
): void {
  const { chainId, vault, lastSigner } = rules
  const { account, asset, units } = withdrawal
  const outcome = withdrawalRules.complete(draft, context, withdrawal, vault)
  if (outcome.as === 'unknown') {
    const found = { withdrawal, reason: 'its order is not in the backup', lostSigner: lastSigner }
    const [recorded] = recordUnknown(chainId, draft, context, found)
    const row = recorded && draft.row(unknownWithdrawals, recorded.id)
    const settled = { settled_at: context.now, paid_by_account: units, paid_by_insurance: 0n, paid_by_treasury: 0n }
    const { kind, reference, postings } = entry
    draft.add({
      entries: [{ kind, reference, postings }],
      rows: row ? [write(unknownWithdrawals, { ...row, ...settled })] : [],
    })
  }
  countEvent(draft, { vault, account, asset }, 'paid', units)
}

/** Books a payment to an account that left, and counts it. A later entry of the same payment takes what was missing. */
export function leave(
  draft: Draft,
  context: Context,
  payment: ExitPayment,
  { chainId, vault }: Pick<ImportRules, 'chainId' | 'vault'>,
): void {
  const known = draft.row(exitPayments, payment.id)
  if (known) payExit(draft, known)
  else bookPayment(draft, context, payment)
  const logIndex = Number(payment.id.split(':')[2])
  countExit({ chainId, vault }, draft, context, { ...payment, logIndex, blockHash: '0x', to: payment.receiver })
}

function freezeOwners(draft: Draft, { postings }: StoredEntry, { operator, reason, now }: ImportRules): void {
  for (const id of ownersIn(postings)) {
    if (id === operator) continue
    const before = draft.row(frozenAccounts, id)
    const ends_at = new Date(now.getTime() + FREEZE_MS)
    const frozen_at = before && before.ends_at > now ? before.frozen_at : now
    draft.add({ rows: [write(frozenAccounts, { id, frozen_at, ends_at, reason })] })
  }
}
