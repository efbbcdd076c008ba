import { type Context, write } from '@clearwell/ledger/command'
import type { Draft } from '@clearwell/ledger/draft'
import { formatAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import * as z from 'zod/mini'
import { VAULT } from '../ledger/accounts.ts'
import { breakers, SOLVENCY_BREAKER, VAULT_MOVE_STOP } from '../ledger/breaker.ts'
import { HEADER_KEYS, writeHeaderTimes } from '../ledger/repayment-stop.ts'
import { defineOperatorAction, type OperatorResult } from '../operator/operator-action.ts'
import { chainCursors } from './chain-cursors.ts'
import { creditDeposit, listCreditKeys } from './credit-deposit.ts'
import { breakerRows } from './solvency-breaker.ts'
import { strandedDeposits } from './stranded-deposits.ts'
import { replacedVaultId, replacedVaults, watchedVaults } from './watched-vault.ts'

const vault = z.string().check(z.regex(/^0x[0-9a-f]{40}$/))
const units = z.string().check(z.regex(/^\d+$/))
const asset = z.enum(['BNB', 'USDT', 'ETH'])

const MOVE_STOP = { id: VAULT_MOVE_STOP.id, reason: 'withdrawals_paused' } as const

/** Stops transfers out, so that the vouchers of the vault come to an end. Deposits and swaps continue. */
export const stopForMove = defineOperatorAction({
  kind: 'stop_for_vault_move',
  role: 'owner',
  persons: 1,
  payload: z.strictObject({}),
  preload: () => [VAULT_MOVE_STOP],
  decide(draft, context) {
    if (draft.row(breakers, VAULT_MOVE_STOP.id)?.stopped_at) return notDone('Transfers out are stopped already.')
    draft.add({ rows: breakerRows('stopped', 'the ledger moves to another vault', context, MOVE_STOP) })
    return { isDone: true, text: 'Transfers out are stopped until `vault open`.' }
  },
})

/** Ends the stop: after the move, or instead of it. */
export const openAfterMove = defineOperatorAction({
  kind: 'open_after_vault_move',
  role: 'owner',
  payload: z.strictObject({}),
  preload: () => [VAULT_MOVE_STOP],
  decide(draft, context) {
    if (!draft.row(breakers, VAULT_MOVE_STOP.id)?.stopped_at)
      return notDone('Transfers out are not stopped for a move.')
    draft.add({ rows: breakerRows('released', 'the operator ended the stop', context, MOVE_STOP) })
    return { isDone: true, text: 'Transfers out are open again.' }
  },
})

/**
 * Starts the stop again if there is one: vouchers that were paid are open again, so a move that was planned with none open
 * must not be executed.
 */
export function restartMoveStop(draft: Draft, context: Context): void {
  if (!draft.row(breakers, VAULT_MOVE_STOP.id)?.stopped_at) return
  const detail = 'a reorganisation has opened vouchers again: plan the move again'
  draft.add({ rows: breakerRows('stopped', detail, context, MOVE_STOP) })
}

/**
 * Moves the ledger to another vault, with the breaker open. From here on only the new vault counts as holding, so the solvency
 * check closes the breaker once it holds everything that is owed, and not earlier.
 */
export const moveVault = defineOperatorAction({
  kind: 'move_vault',
  role: 'owner',
  payload: z.strictObject({
    chainId: z.string(),
    from: vault,
    to: vault,
    /** The last block in which the new vault is known to have received nothing. The cursor must not be past it. */
    unusedTo: units,
    /**
     * When the stop began after which no voucher was open. No order is opened during a stop, so the count still holds.
     * null: an urgent move, with open vouchers.
     */
    stoppedAt: z.nullable(z.iso.datetime()),
  }),
  preload: ({ chainId, from }) => [
    SOLVENCY_BREAKER,
    VAULT_MOVE_STOP,
    { table: watchedVaults, id: chainId },
    { table: chainCursors, id: chainId },
    { table: replacedVaults, id: replacedVaultId(chainId, from) },
    ...HEADER_KEYS,
  ],
  decide(draft, context, { chainId, from, to, unusedTo, stoppedAt }) {
    const watched = draft.row(watchedVaults, chainId)
    if (watched?.vault === to) return notDone(`The ledger is at the vault ${to} already: nothing was changed.`)
    if (watched?.vault !== from) return notDone(`The ledger is not at the vault ${from}. Run the command again.`)
    if (draft.row(replacedVaults, replacedVaultId(chainId, to)))
      return notDone(`The ledger has moved away from the vault ${to} before. Deploy a new one.`)
    const cursor = draft.row(chainCursors, chainId)
    if (cursor && cursor.number > BigInt(unusedTo))
      return notDone('The watcher has read more blocks since the plan was made. Run the command again.')
    const stop = draft.row(breakers, VAULT_MOVE_STOP.id)?.stopped_at?.toISOString()
    if (stoppedAt !== null && stop !== stoppedAt)
      return notDone(
        'Transfers out are not stopped since the plan was made. Run `vault stop`, and plan the move again.',
      )
    const detail = `custody moves from the vault ${from} to ${to}, which must hold everything that is owed first`
    const left = {
      id: replacedVaultId(chainId, from),
      chain_id: chainId,
      vault: from,
      replaced_at: context.now,
    }
    draft.add({
      rows: [
        write(watchedVaults, { id: chainId, vault: to, since: context.now }),
        write(replacedVaults, left),
        ...breakerRows('stopped', detail, context),
        // Roots of the vault that is left count no more. At the new one the age begins with the first header.
        ...writeHeaderTimes(draft, { root_made_at: null, root_id: null }, context.now),
      ],
    })
    return { isDone: true, text: `The ledger is at the vault ${to}. Swaps and transfers out are stopped: ${detail}.` }
  },
})

/** Records that the operator has vouchers signed that pay money from replaced vaults to the ledger's vault. */
export const signVaultTransfers = defineOperatorAction({
  kind: 'sign_vault_transfers',
  role: 'owner',
  payload: z.strictObject({
    chainId: z.string(),
    to: vault,
    transfers: z.array(z.strictObject({ from: vault, asset, units, nonce: units })),
  }),
  preload: ({ chainId }) => [{ table: watchedVaults, id: chainId }],
  decide(draft, _context, { chainId, to, transfers }) {
    if (draft.row(watchedVaults, chainId)?.vault !== to) return notDone(`The ledger is not at the vault ${to}.`)
    const amounts = transfers.map((each) => `${shown(each)} from ${each.from}`)
    return { isDone: true, text: `Vouchers that pay to the vault ${to}: ${amounts.join(', ')}.` }
  },
})

const stranded = z.strictObject({
  id: z.string(),
  account: z.string(),
  asset,
  units,
  txHash: z.string(),
  logIndex: z.int(),
  blockNumber: units,
  orderId: z.nullable(z.string()),
})

/**
 * Credits deposits that reached a replaced vault, after the operator has moved their money. Their amounts become available to
 * their senders and count toward their orders, but what an order would have done, such as an activation, is not done.
 */
export const creditStranded = defineOperatorAction({
  kind: 'credit_stranded',
  role: 'treasurer',
  payload: z.strictObject({
    chainId: z.int(),
    vault,
    /** The operator's address, whose deposits go to `treasury`. */
    operator: z.string(),
    /** The amounts that were owed when the holding of the vault was compared with them, in base units. */
    owed: z.record(z.string(), units),
    deposits: z.array(stranded),
  }),
  preload: ({ chainId, operator, deposits }) => [
    { table: watchedVaults, id: String(chainId) },
    ...deposits.flatMap((deposit) => [
      { table: strandedDeposits, id: deposit.id },
      ...listCreditKeys({ chainId, operator, purposes: [] }, chainDeposit(deposit)),
    ]),
  ],
  decide(draft, context, { chainId, vault: to, operator, owed, deposits }) {
    if (draft.row(watchedVaults, String(chainId))?.vault !== to) return notDone(`The ledger is not at the vault ${to}.`)
    if (Object.entries(owed).some(([name, text]) => -draft.balance(VAULT, name) !== BigInt(text)))
      return notDone('Money has moved since the plan was made. Run the command again.')
    const credited = deposits.filter((deposit) => {
      const row = draft.row(strandedDeposits, deposit.id)
      if (!row || row.credited_at) return false
      draft.add({ rows: [write(strandedDeposits, { ...row, credited_at: context.now })] })
      return creditDeposit({ chainId, operator, purposes: [] }, draft, context, chainDeposit(deposit))
    })
    const amounts = credited.map((each) => `${shown(each)} to ${each.account}`)
    return amounts.length === 0
      ? notDone('These deposits are credited already.')
      : { isDone: true, text: `Credited: ${amounts.join(', ')}.` }
  },
})

function chainDeposit({ account, asset: name, units: text, ...rest }: z.output<typeof stranded>) {
  const { txHash, logIndex, blockNumber, orderId } = rest
  return {
    txHash,
    logIndex,
    blockNumber: BigInt(blockNumber),
    blockHash: '',
    account,
    asset: name,
    units: BigInt(text),
    orderId,
  }
}

function shown({ asset: name, units: text }: { readonly asset: AssetId; readonly units: string }): string {
  return `${formatAmount({ asset: name, units: BigInt(text) })} ${name}`
}

function notDone(text: string): OperatorResult {
  return { isDone: false, text }
}
