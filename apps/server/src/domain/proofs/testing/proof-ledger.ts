import { randomUUID } from 'node:crypto'
import { type Command, eachCompletion, write } from '@clearwell/ledger/command'
import type { Database } from '@clearwell/ledger/database'
import { Draft } from '@clearwell/ledger/draft'
import { openTestDatabase } from '@clearwell/ledger/testing/database'
import { transfer } from '@clearwell/ledger/transfer'
import { Writer } from '@clearwell/ledger/writer'
import { ASSET_IDS, type AssetId } from '@clearwell/money/asset'
import type { Hex } from '@clearwell/proofs/bytes'
import { privateKeyToAccount } from 'viem/accounts'
import { chainCursors } from '../../../platform/custody/chain-cursors.ts'
import { givePlaces } from '../../../platform/custody/proof-places.ts'
import { countEvent } from '../../../platform/custody/vault-counters.ts'
import { watchedVaults } from '../../../platform/custody/watched-vault.ts'
import { MIGRATION_FOLDERS } from '../../../platform/database/open-database.ts'
import { TREASURY, userAccount, VAULT } from '../../../platform/ledger/accounts.ts'
import { storeRowLines } from '../../../platform/ledger/row-lines.ts'
import { pledges } from '../../lending/lending.tables.ts'
import { lendingCash } from '../../lending/lending-accounts.ts'
import type { HeaderDependencies } from '../make-headers.ts'
import { makeHeader, ProofBooks, type ProofSettings } from '../proof-books.ts'
import type { BookSource } from '../read-books.ts'

export const OPERATOR = `0x${'0e'.repeat(20)}`
const VAULT_ADDRESS: Hex = `0x${'7a'.repeat(20)}`
export const SOURCE: BookSource = { chainId: 97, vault: VAULT_ADDRESS, operator: OPERATOR }
export const SETTINGS: ProofSettings = {
  domain: { chainId: 97, vault: VAULT_ADDRESS },
  tokens: Object.fromEntries(
    ASSET_IDS.map((asset, index) => [asset, `0x${`${index}`.padStart(40, '0')}`]),
  ) as ProofSettings['tokens'],
  dataSecret: Buffer.alloc(32, 5),
}
export const ROOT_KEY = privateKeyToAccount(`0x${'51'.repeat(32)}`)

/** Users that exist. */
export const USERS = 6

/** A step of a ledger that moves money as the product does. `units` is cut to what the account has. */
export interface Step {
  readonly what: 'deposit' | 'lock' | 'pay' | 'swap' | 'pledge' | 'collateral' | 'fee' | 'payout' | 'cursor'
  /** Index of a user. */
  readonly user: number
  readonly asset: AssetId
  readonly units: bigint
}

/** A ledger with places, counters and a cursor, on its own database. */
export interface ProofLedger {
  readonly db: Database
  readonly writer: Writer
  readonly clock: { at: Date; now(): Date }
  run(step: Step): Promise<void>
  /** Makes headers as another server would: with its own leaves. @param vault in its configuration; absent: the ledger's first */
  server(vault?: Hex): HeaderDependencies
  /** Moves the ledger to another vault, as the operator's command does. */
  moveTo(vault: Hex): Promise<void>
  close(): Promise<void>
}

/** @param settings with the vault and the tokens that its headers name. */
export async function openProofLedger(settings: ProofSettings = SETTINGS): Promise<ProofLedger> {
  const { chainId, vault } = settings.domain
  const source = { ...SOURCE, chainId, vault: vault.toLowerCase() }
  const db = await openTestDatabase(MIGRATION_FOLDERS)
  const clock = { at: new Date('2026-11-28T05:00:00Z'), now: () => clock.at }
  const writer = await Writer.open({
    ...{ db, clock, randomId: () => randomUUID(), holder: 'test', leaseTtlMs: 600_000, exclusive: true },
    completion: eachCompletion(givePlaces({ operator: OPERATOR }), storeRowLines),
  })
  await db.query(
    `insert into users (id, invite_code, nickname, created_at) select id, id, '', $2 from unnest($1::text[]) as id`,
    [Array.from({ length: USERS }, (_, index) => userOf(index)), clock.at],
  )
  let block = 0n
  const moveCursor = async () => {
    block += 1n
    const number = block
    const row = { id: `${chainId}`, number, hash: `0x${number.toString(16).padStart(64, '0')}`, time: clock.at }
    await execute(writer, () => ({ rows: [write(chainCursors, row)], response: null }))
  }
  await moveCursor()
  return {
    db,
    writer,
    clock,
    run: (step) =>
      step.what === 'cursor'
        ? moveCursor()
        : execute(writer, (state) => decideStep(new Draft(state), step, { at: clock.at, vault: source.vault })),
    server(at = vault) {
      const books = new ProofBooks({ ...settings, domain: { chainId, vault: at } })
      const signer = { address: ROOT_KEY.address, sign: (hash: Hex) => ROOT_KEY.sign({ hash }) }
      const own = { ...source, vault: at.toLowerCase() }
      return { db, writer, clock, chainId, signer, make: () => makeHeader(db, books, own) }
    },
    moveTo: (to) =>
      execute(writer, () => ({
        rows: [write(watchedVaults, { id: `${chainId}`, vault: to.toLowerCase(), since: clock.at })],
        response: null,
      })),
    async close() {
      await writer.close()
      await db.close()
    },
  }
}

async function execute(writer: Writer, decide: Command<null>['decide']): Promise<void> {
  await writer.execute({ kind: 'test', owner: 'test', payload: {}, preload: [], decide })
}

/** Returns the address of a user. */
export function userOf(index: number): string {
  return `0x${`${index + 1}`.padStart(40, 'a')}`
}

function decideStep(draft: Draft, { what, user, asset, units }: Step, { at, vault }: { at: Date; vault: string }) {
  const id = userOf(user)
  const available = userAccount(id, 'available')
  const move = (from: string, to: string, most: bigint, kind: string = what) => {
    const has = from === VAULT ? most : draft.balance(from, asset)
    const moved = has < most ? has : most
    if (moved > 0n)
      draft.add({ entries: [{ kind, reference: '', postings: transfer({ from, to, asset, units: moved }) }] })
    return moved
  }
  const counted = { vault, account: id, asset }
  if (what === 'deposit') countEvent(draft, counted, 'deposited', move(VAULT, available, units))
  else if (what === 'lock') move(available, userAccount(id, 'locked'), units)
  else if (what === 'pay') countEvent(draft, counted, 'paid', move(userAccount(id, 'locked'), VAULT, units))
  else if (what === 'swap') move(available, 'pool:BNB-USDT', units)
  else if (what === 'collateral') move(available, userAccount(id, 'collateral'), units)
  else if (what === 'fee') move(available, TREASURY, units)
  else if (what === 'payout') move(TREASURY, userAccount(OPERATOR, 'locked'), units)
  else if (what === 'pledge') {
    const shares = move(available, lendingCash(asset), units)
    const row = { id: `${asset}:${id}`, user_id: id, asset, pledged: shares, withdrawn: 0n, changed_at: at }
    const before = draft.row(pledges, row.id)?.shares ?? 0n
    if (shares > 0n) draft.add({ rows: [write(pledges, { ...row, shares: before + shares })] })
  }
  return draft.plan(null)
}
