import { ASSET_DECIMALS, ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { BaseError } from 'viem'
import { AUDITS } from '../audits.ts'
import { configUnits } from '../config/fields.ts'
import { isChainTrouble } from '../platform/chain/chain-fault.ts'
import { nodeErrorOf } from '../platform/chain/node-error.ts'
import { type Reconciliation, reconcile as reconcileBooks, type Sum } from '../platform/custody/reconcile.ts'
import { ChainUnclear } from '../platform/custody/vault-books.ts'
import { amountTable } from './amount-table.ts'
import type { OperatorCommand, Outcome } from './command.ts'
import { withChain, withConfigFile } from './open-books.ts'

export const reconcile: OperatorCommand = {
  about:
    'compares the ledger with the vault at the block that the watcher has read, asset by asset, to the unit; exit code 0 only if nothing is missing',
  run: ({ json }) =>
    withConfigFile(async (config, db) => {
      const alarms: string[] = []
      const onAlarm = (error: unknown) => alarms.push(error instanceof Error ? error.message : String(error))
      const started = await db.query('select 1 from chain_cursors limit 1')
      if (started.length === 0) return failure('The watcher has not read a block yet: there is nothing to reconcile.')
      return withChain(config, db, onAlarm, async (chain): Promise<Outcome> => {
        try {
          const report = await reconcileBooks(
            { db, chain },
            { rtSupply: configUnits(config.rt.supply, 'RT'), audits: AUDITS },
          )
          if (!report) return failure('The watcher has not read a block of this chain yet.')
          const faults = [...report.faults, ...alarms]
          const text = json ? JSON.stringify(jsonOf(report), null, 2) : textOf(report)
          return { text, faults, exitCode: report.faults.length === 0 ? 0 : 1 }
        } catch (error) {
          if (error instanceof ChainUnclear) return failure(`The chain does not match the books: ${error.message}.`)
          if (!(error instanceof BaseError) && !isChainTrouble(error)) throw error
          return failure(...alarms, `The chain cannot be read: ${sentenceOf(error as Error)}`)
        }
      })
    }),
}

function failure(...faults: string[]): Outcome {
  return { text: '', faults, exitCode: 1 }
}

/** Prefers the node's own message to its client's report, which takes many lines. */
function sentenceOf(error: Error): string {
  return nodeErrorOf(error)?.message ?? (error instanceof BaseError ? error.shortMessage : error.message)
}

function textOf(report: Reconciliation): string {
  const { cursor, head, entries, archived, vaultReadAt } = report
  return [
    `The watcher has read up to block ${cursor.number}; the chain is at ${head}, ${head - cursor.number} ahead.`,
    `Its hash is ${cursor.hash}.`,
    `${entries} entries${archived === 0n ? '' : `, ${archived} of them in archives and not read`}. Postings sum to zero: ${ASSET_IDS.every((asset) => report.postings[asset] === 0n) ? 'yes' : 'NO'}.`,
    ...(vaultReadAt === cursor.number
      ? []
      : [
          `The node no longer has the state of that block: the vault was read at block ${vaultReadAt}, adjusted for later payments.`,
        ]),
    '',
    ...amountTable([
      ...report.classes.map(({ name, units }) => ({ name, units })),
      'line',
      { name: 'ledger', units: report.sum },
      { name: 'vault (RT: supply)', units: report.held },
      { name: 'difference', units: report.difference },
      'line',
      counted('unconfirmed deposits', report.unconfirmedIn),
      counted('unconfirmed withdrawals', report.unconfirmedOut),
      counted('open vouchers', report.openVouchers),
      counted('payouts without an order', report.unknownPayments),
    ]),
    '',
    verdict(report),
  ].join('\n')
}

function counted(name: string, { count, units }: Sum) {
  return { name: `${name} (${count})`, units }
}

function verdict({ faults, difference }: Reconciliation): string {
  if (faults.length > 0) return 'The books do not balance.'
  const over = ASSET_IDS.filter((asset) => difference[asset] > 0n)
  return over.length === 0
    ? 'Nothing is missing, to the unit.'
    : `Nothing is missing. The vault has a surplus of ${over.join(', ')}.`
}

function jsonOf(report: Reconciliation) {
  const texts = (units: Readonly<Record<AssetId, bigint>>) =>
    Object.fromEntries(ASSET_IDS.map((asset) => [asset, formatUnits(units[asset], ASSET_DECIMALS[asset])]))
  const sum = ({ count, units }: Sum) => ({ count, units: texts(units) })
  return {
    cursor: { number: report.cursor.number.toString(), hash: report.cursor.hash },
    head: report.head.toString(),
    vault_read_at: report.vaultReadAt.toString(),
    lag: (report.head - report.cursor.number).toString(),
    entries: report.entries.toString(),
    archived: report.archived.toString(),
    ledger: {
      classes: Object.fromEntries(report.classes.map(({ name, units }) => [name, texts(units)])),
      sum: texts(report.sum),
    },
    vault: texts(report.held),
    difference: texts(report.difference),
    unconfirmed: { in: sum(report.unconfirmedIn), out: sum(report.unconfirmedOut) },
    open_vouchers: sum(report.openVouchers),
    paid_without_order: sum(report.unknownPayments),
    postings: texts(report.postings),
    faults: report.faults,
  }
}
