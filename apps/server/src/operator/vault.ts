import type { Database } from '@clearwell/ledger/database'
import { readOneMoment } from '@clearwell/ledger/reads'
import { formatAmount } from '@clearwell/money/amount'
import { createWalletStore } from '../features/wallet/wallet.store.ts'
import { refuseWrongTokens } from '../platform/chain/check-tokens.ts'
import { readKind, refuseOtherKind } from '../platform/chain/check-vault-kind.ts'
import { readCursor } from '../platform/custody/chain-cursors.ts'
import { moveVault, openAfterMove, stopForMove } from '../platform/custody/move-vault.ts'
import { readStranded, type StrandedRow } from '../platform/custody/stranded-deposits.ts'
import { readVaultBooks, readVaultHolding, VAULT_ASSETS, type VaultAsset } from '../platform/custody/vault-books.ts'
import { readWatchedVault } from '../platform/custody/watched-vault.ts'
import { isBreakerOpen, VAULT_MOVE_STOP } from '../platform/ledger/breaker.ts'
import { refuseCapsAboveVault, signerAccount, signerAssets } from '../platform/signer/open-signer.ts'
import { failure, isPrintable, type OperatorCommand, type Outcome } from './command.ts'
import { findExitMoveFault } from './exit-vault-moves.ts'
import { withConfigFile, withConfiguredVault, withLedger } from './open-books.ts'
import { requestAction } from './request-action.ts'
import { credit, holdingsOf, transfer, transferOf, type VaultDeps } from './vault-money.ts'

/** Blocks that one request to the node covers. */
const BLOCKS_AT_ONCE = 2_000n
/** Deposits that are listed. */
const LISTED = 100

const VERBS = ['status', 'stop', 'move', 'open', 'transfer']

export const vault: OperatorCommand = {
  about:
    'stops transfers out before a move and opens them after it; moves the ledger to the configured vault; signs the transfers of money from the replaced one; credits deposits that still reach it. `status` has exit code 1 until everything is moved',
  words:
    'status | stop | move [urgent] | open | transfer | credit <transaction hash | all>, each but status with --reason <text> [--execute] | transfer --request <request>',
  options: ['reason', 'execute', 'request'],
  async run({ words, json, execute, reason, request }) {
    const [verb, which, ...rest] = words
    const isCredit = verb === 'credit' && (which === 'all' || /^0x[0-9a-f]{64}$/.test(which ?? ''))
    const isUrgent = verb === 'move' && which === 'urgent'
    const isKnown = isCredit || isUrgent || (which === undefined && VERBS.includes(verb ?? ''))
    if (!isKnown || rest.length > 0) return undefined
    const isRead = verb === 'status' || (verb === 'transfer' && request !== undefined)
    if (request !== undefined && verb !== 'transfer') return undefined
    if (isRead ? reason !== undefined || execute : !reason || !isPrintable(reason)) return undefined
    const args = { json, execute, reason: reason ?? '' }
    const open = verb === 'status' ? withConfigFile : withLedger
    return open((config, db) =>
      withConfiguredVault(
        config,
        db,
        () => {},
        async (opened) => {
          const deps = { ...opened, config, db, args }
          if (verb === 'stop' || verb === 'open') return setStop(deps, verb)
          if (verb === 'move') return move(deps, isUrgent)
          const watched = await readWatchedVault(db, config.chain.id)
          if (watched?.vault !== opened.custody.vault.toLowerCase())
            return failure(
              `The ledger is at the vault ${watched?.vault ?? 'of no chain'}, not at the configured one: run \`vault move\`.`,
            )
          if (verb === 'status') return status(deps)
          if (request !== undefined) return transferOf(deps, request)
          return verb === 'transfer' ? transfer(deps) : credit(deps, which === 'all' ? undefined : which)
        },
      ),
    )
  },
}

/** Stops transfers out, or opens them. Repeated, it changes nothing. */
async function setStop({ config, db, args }: VaultDeps, verb: 'stop' | 'open'): Promise<Outcome> {
  const isDone = async () => (await isBreakerOpen(db, VAULT_MOVE_STOP.id)) === (verb === 'stop')
  const done = async (): Promise<Outcome> => ({
    text:
      verb === 'stop'
        ? `Transfers out are stopped. ${await openText(db)}`
        : 'Transfers out are not stopped for a move.',
    faults: [],
    exitCode: 0,
  })
  if (await isDone()) return done()
  const action = verb === 'stop' ? stopForMove : openAfterMove
  const outcome = await requestAction(config, db, { action, payload: {}, args })
  // The request of an earlier, interrupted command can be executed first.
  return outcome.exitCode !== 0 && (await isDone()) ? done() : outcome
}

async function openText(db: Database): Promise<string> {
  const counts = await createWalletStore(db).countOpen()
  const open = counts.reduce((sum, { count }) => sum + count, 0)
  return `${open} vouchers are open: \`vault move\` waits until each is paid or has expired.`
}

/** Reads since when transfers out are stopped with no voucher open. Read in one moment, because a new stop starts a new count. */
function findStop(db: Database): Promise<{ readonly stoppedAt: string } | { readonly fault: string }> {
  return readOneMoment(db, async (tx) => {
    const text = `select stopped_at, (select count(*)::integer from withdrawal_orders where status in ('locked', 'signed')) as open
      from breakers where id = $1 and stopped_at is not null`
    const [row] = await tx.query<{ stopped_at: Date; open: number }>(text, [VAULT_MOVE_STOP.id])
    if (!row) return { fault: 'Transfers out are not stopped: run `vault stop` first.' }
    if (row.open > 0)
      return {
        fault: `${row.open} vouchers are open since before the stop of ${row.stopped_at.toISOString()}: wait until each is paid, or has expired on the chain and was returned.`,
      }
    return { stoppedAt: row.stopped_at.toISOString() }
  })
}

async function move(deps: VaultDeps, isUrgent: boolean): Promise<Outcome> {
  const { config, db, chain, custody, client, args } = deps
  const to = custody.vault.toLowerCase()
  const watched = await readWatchedVault(db, chain.id)
  const cursor = await readCursor(db, chain.id)
  if (!watched || !cursor)
    return failure('The watcher has not read a block yet: start the server with its first vault.')
  if (watched.vault === to) return alreadyAt(to)
  const stop = isUrgent ? undefined : await findStop(db)
  if (stop && 'fault' in stop) return failure(stop.fault)
  await refuseOtherKind(client, custody)
  const from = { vault: watched.vault, kind: await readKind(client, watched.vault) }
  const fault = (isUrgent ? findUrgentFault(from, custody) : undefined) ?? (await findFault(deps, from))
  if (fault) return failure(fault)
  await refuseWrongTokens(client, custody)
  await refuseCapsAboveVault(client, custody, signerAssets(config, custody))
  // Read up to the head, so that the plan also holds while a running server reads more blocks.
  const { number: head } = await chain.head()
  if (await hasPayments(deps, head))
    return failure(`The vault ${to} has received or paid money that is not of the ledger. Deploy a new one.`)
  const payload = {
    chainId: String(chain.id),
    from: watched.vault,
    to,
    unusedTo: String(head),
    stoppedAt: stop?.stoppedAt ?? null,
  }
  const outcome = await requestAction(config, db, { action: moveVault, payload, args })
  // The request of an earlier, interrupted command can be executed first.
  const isThere = (await readWatchedVault(db, chain.id))?.vault === to
  return outcome.exitCode !== 0 && isThere ? alreadyAt(to) : outcome
}

function alreadyAt(to: string): Outcome {
  return { text: `The ledger is at the vault ${to} already: nothing was changed.`, faults: [], exitCode: 0 }
}

/** Finds the reason why the configured vault cannot hold the custody, if there is one. */
async function findFault(deps: VaultDeps, from: LeftVault): Promise<string | undefined> {
  const { config, db, chain, custody } = deps
  const to = custody.vault.toLowerCase()
  const cursor = await readCursor(db, chain.id)
  if (cursor && custody.vaultBlock > cursor.number)
    return `The vault ${to} is in block ${custody.vaultBlock}, and the watcher has read up to ${cursor.number}: wait.`
  const state = await chain.vaultState().catch(() => undefined)
  if (!state) return `There is no vault at ${to}, or the chain cannot be read.`
  if (state.isPaused) return `The vault ${to} is paused.`
  const signer = signerAccount(config).address.toLowerCase()
  if (state.signer !== signer)
    return `The vault ${to} accepts vouchers of ${state.signer}, and SIGNER_KEY is of ${signer}.`
  return findExitMoveFault(deps, from)
}

type LeftVault = Parameters<typeof findExitMoveFault>[1]

/** An urgent move leaves vouchers open, which the leaves of a vault with exits would promise again. */
function findUrgentFault({ kind }: LeftVault, custody: VaultDeps['custody']): string | undefined {
  if (custody.kind === 'exits')
    return 'The first root of a vault with exits needs zero open vouchers: run `vault stop`, and move without `urgent`.'
  if (kind === 'exits')
    return 'The ledger is at a vault with exits, whose money follows an announced successor only: pause it, remove the stolen key, and move without `urgent`.'
  return undefined
}

/** Checks if the configured vault has moved money with anyone but the ledger's vaults. */
async function hasPayments({ chain, custody }: VaultDeps, head: bigint): Promise<boolean> {
  for (let from = custody.vaultBlock; from <= head; from += BLOCKS_AT_ONCE) {
    const end = from + BLOCKS_AT_ONCE - 1n
    const { deposits, withdrawals } = await chain.movements({ from, to: end < head ? end : head })
    if ([...deposits, ...withdrawals].some(({ replacedVault }) => replacedVault === undefined)) return true
  }
  return false
}

async function status(deps: VaultDeps): Promise<Outcome> {
  const { db, chain, custody, args } = deps
  const books = await readOneMoment(db, (tx) => readVaultBooks(tx, chain.id))
  if (!books) return failure('The watcher has not read a block yet.')
  const held = await readVaultHolding(chain, books.cursor).catch(() => undefined)
  const missing = VAULT_ASSETS.flatMap((asset) => {
    const units = books.owed[asset] - (held?.[asset] ?? books.owed[asset])
    return units > 0n ? [amountOf(asset, units)] : []
  })
  const replaced = await Promise.all(
    (custody.replacedVaults ?? []).map(async (address) => ({
      vault: address,
      held: (await holdingsOf(deps, address))
        .filter(({ units }) => units > 0n)
        .map((each) => amountOf(each.asset, each.units)),
    })),
  )
  const waiting = await readStranded(db, { limit: LISTED })
  const counts = custody.movedAt ? await createWalletStore(db).countOpen(custody.movedAt) : []
  const open = counts.reduce((sum, { count }) => sum + count, 0)
  const shown = {
    vault: custody.vault.toLowerCase(),
    since: custody.movedAt?.toISOString() ?? null,
    is_read: held !== undefined,
    missing,
    replaced,
    open_vouchers: open,
    stranded: waiting.map(strandedOf),
  }
  const isDone = missing.length + open + waiting.length === 0 && replaced.every((each) => each.held.length === 0)
  const text = args.json ? JSON.stringify(shown, null, 2) : linesOf(shown).join('\n')
  return { text, faults: [], exitCode: isDone && held ? 0 : 1 }
}

type Shown = {
  readonly vault: string
  readonly since: string | null
  readonly is_read: boolean
  readonly missing: readonly string[]
  readonly replaced: readonly { readonly vault: string; readonly held: readonly string[] }[]
  readonly open_vouchers: number
  readonly stranded: readonly ReturnType<typeof strandedOf>[]
}

function linesOf({ vault: address, since, is_read: isRead, missing, replaced, open_vouchers: open, stranded }: Shown) {
  const holding = missing.length === 0 ? 'It holds everything that is owed.' : `It lacks ${missing.join(', ')}.`
  return [
    `The ledger is at the vault ${address}${since ? ` since ${since}` : ', its first'}.`,
    isRead ? holding : 'The node does not have the state of the block that the watcher has read.',
    ...replaced.map((each) => `The replaced vault ${each.vault} holds ${each.held.join(', ') || 'nothing'}.`),
    ...(open === 0 ? [] : [`${open} vouchers of a replaced vault are open until their deadline is final.`]),
    ...stranded.map((each) => `Not credited: ${each.amount} of ${each.account} in ${each.tx_hash}`),
  ]
}

function strandedOf({ tx_hash, user_id: account, vault: address, asset, units }: StrandedRow) {
  return { tx_hash, account, vault: address, amount: `${formatAmount({ asset, units })} ${asset}` }
}

function amountOf(asset: VaultAsset, units: bigint): string {
  return `${formatAmount({ asset, units })} ${asset}`
}
