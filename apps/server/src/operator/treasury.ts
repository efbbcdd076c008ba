import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '@clearwell/ledger/database'
import { readBalances } from '@clearwell/ledger/read-balances'
import { type Amount, formatAmount } from '@clearwell/money/amount'
import type { AssetId } from '@clearwell/money/asset'
import { findNewestRoot } from '../domain/proofs/signed-roots.ts'
import { isOfReplacedVault, voucherOf, withdrawCall, withdrawWithRootCall } from '../features/wallet/voucher.ts'
import { createWalletStore } from '../features/wallet/wallet.store.ts'
import { withdrawTreasury } from '../features/wallet/withdraw-treasury.ts'
import type { WithdrawalRow } from '../features/wallet/withdrawal-orders.ts'
import type { Config } from '../load-config.ts'
import type { Custody } from '../platform/chain/chain.ts'
import { isPayable } from '../platform/custody/deposit-desk.ts'
import { INSURANCE, TREASURY } from '../platform/ledger/accounts.ts'
import { type Arguments, failure, isPrintable, type OperatorCommand, type Outcome } from './command.ts'
import { withChain, withConfigFile, withDatabase } from './open-books.ts'
import { readAmount } from './read-amount.ts'
import { perform } from './request-action.ts'

/** The number of orders that are listed. */
const LATEST = 20
/** The time that a running server needs to sign. */
const SIGNATURE_WAIT_MS = 5_000
const LOOK_EVERY_MS = 100

export const treasury: OperatorCommand = {
  about:
    "shows the operator's accounts and transfers out, or the transaction that pays one; transfers money out to the operator's address",
  words: '[voucher <order> | withdraw <asset> <amount> --reason <text> [--execute]]',
  options: ['reason', 'execute'],
  async run({ words, json, execute, reason }) {
    const [verb, asset, text, ...rest] = words
    if (verb === undefined) return withDatabase((db) => show(db, json))
    if (verb === 'voucher' && asset && text === undefined)
      return withCustody((_config, db, custody) => showVoucher(db, custody, { id: asset, json }))
    const amount = readAmount(asset, text)
    if (verb !== 'withdraw' || !amount || rest.length > 0 || !reason || !isPrintable(reason)) return undefined
    return withCustody((config, db, custody) => withdraw({ config, db, custody }, amount, { json, execute, reason }))
  },
}

function withCustody(work: (config: Config, db: Database, custody: Custody) => Promise<Outcome>): Promise<Outcome> {
  return withConfigFile((config, db) =>
    withChain(
      config,
      db,
      () => {},
      (_chain, custody) => work(config, db, custody),
    ),
  )
}

async function withdraw(
  { config, db, custody }: { config: Config; db: Database; custody: Custody },
  amount: Amount,
  args: Pick<Arguments, 'json' | 'execute'> & { readonly reason: string },
): Promise<Outcome> {
  const { asset, units } = amount
  if (asset === 'RT') return failure('RT exists in the ledger only and cannot be transferred out.')
  if (!isPayable(custody, amount)) return failure(`The amount has more decimals than ${asset} has on the chain.`)
  const { voucherTtlMs } = config.withdrawals
  const payload = { operator: custody.operator, asset, units: String(units), voucherTtlMs }
  const result = await perform(config, db, { action: withdrawTreasury, payload, args })
  if (!result.executed) return result.outcome
  const order = await signedOrder(db, result.executed.orderId ?? '')
  if (args.json)
    return {
      text: JSON.stringify({ executed: true, ...orderOf(order), ...(await payingOf(db, custody, order)) }, null, 2),
      faults: [],
      exitCode: 0,
    }
  return {
    text: [result.text, ...linesOf(order), ...(await payingLines(db, custody, order))].join('\n'),
    faults: [],
    exitCode: 0,
  }
}

/** Waits for the signature of a running server. Without a server the order stays locked until one starts. */
async function signedOrder(db: Database, orderId: string): Promise<WithdrawalRow> {
  const store = createWalletStore(db)
  for (const deadline = Date.now() + SIGNATURE_WAIT_MS; ; await wait(LOOK_EVERY_MS)) {
    const order = await store.withdrawal(orderId)
    if (!order) throw new Error(`the order ${orderId} is missing`)
    // On PGlite this process is alone.
    if (order.status !== 'locked' || db.kind === 'pglite' || Date.now() > deadline) return order
  }
}

async function show(db: Database, json: boolean): Promise<Outcome> {
  const balances = (await readBalances(db, [TREASURY, INSURANCE])).map(({ account, asset, units }) => ({
    account,
    asset,
    amount: formatAmount({ asset: asset as AssetId, units }),
  }))
  const orders = await createWalletStore(db).treasuryWithdrawals(LATEST)
  const text = json
    ? JSON.stringify({ balances, orders: orders.map(orderOf) }, null, 2)
    : [
        ...balances.map(({ account, asset, amount }) => `${account}  ${amount} ${asset}`),
        ...orders.flatMap((order) => ['', ...linesOf(order)]),
      ].join('\n')
  return { text, faults: [], exitCode: 0 }
}

async function showVoucher(
  db: Database,
  custody: Custody,
  { id, json }: { readonly id: string; readonly json: boolean },
): Promise<Outcome> {
  const orders = await createWalletStore(db).treasuryWithdrawals(LATEST)
  const order = orders.find((each) => each.id === id)
  if (!order) return failure(`None of the last ${LATEST} transfers out of the treasury is ${id}.`)
  const text = json
    ? JSON.stringify({ ...orderOf(order), ...(await payingOf(db, custody, order)) }, null, 2)
    : [...linesOf(order), ...(await payingLines(db, custody, order))].join('\n')
  return { text, faults: [], exitCode: 0 }
}

function orderOf({ id, asset, amount: units, status, deadline, tx_hash, user_id: account }: WithdrawalRow) {
  const amount = formatAmount({ asset, units })
  return { order_id: id, account, asset, amount, status, expires_at: deadline.toISOString(), tx_hash }
}

/** The transaction that pays an order: none before its signature, after its end, and for a replaced vault. */
async function payingOf(db: Database, custody: Custody, order: WithdrawalRow) {
  const { status, signature } = order
  const isPaying = status === 'signed' && signature !== null && !isOfReplacedVault(custody, order)
  return { to: custody.vault, calldata: isPaying ? await callOf(db, custody, { order, signature }) : null }
}

/** With exits, the call posts the newest root, unless the vault has it. */
async function callOf(
  db: Database,
  custody: Custody,
  { order, signature }: { readonly order: WithdrawalRow; readonly signature: string },
): Promise<string> {
  const voucher = voucherOf(custody, order)
  if (order.root === null) return withdrawCall(voucher, signature)
  const root = await findNewestRoot(db)
  if (!root) throw new Error(`the order ${order.id} is signed, and there is no header with both signatures`)
  return withdrawWithRootCall(voucher, signature, root)
}

async function payingLines(db: Database, custody: Custody, order: WithdrawalRow): Promise<string[]> {
  const { to, calldata } = await payingOf(db, custody, order)
  if (calldata) return [`  Send a transaction from any wallet to ${to} with this data:`, `  ${calldata}`]
  return order.status === 'signed' ? ['  Its voucher is for a replaced vault, which does not pay any more.'] : []
}

function linesOf(order: WithdrawalRow): string[] {
  const { order_id: id, asset, amount, status, expires_at: by, tx_hash: hash } = orderOf(order)
  const first = `${id}  ${amount} ${asset}  ${status}`
  if (status === 'signed') return [first, `  To be sent by ${by}: \`treasury voucher ${id}\` shows the transaction.`]
  if (status === 'locked') return [first, '  Not signed yet. A running server signs it; list it again with `treasury`.']
  return [hash ? `${first} in ${hash}` : `${first}: the amount is back in the treasury`]
}
