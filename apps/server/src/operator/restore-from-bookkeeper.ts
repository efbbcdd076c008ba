import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '@clearwell/ledger/database'
import { readTip } from '@clearwell/ledger/reads'
import type { Config } from '../load-config.ts'
import type { Chain, Custody } from '../platform/chain/chain.ts'
import { localBookkeeperAccount, rootAccount } from '../platform/signer/proof-keys.ts'
import { type Arguments, failure, isPrintable, type OperatorCommand, type Outcome } from './command.ts'
import { openOperatorClock } from './execute-request.ts'
import { withChain, withConfigFile } from './open-books.ts'
import { readAddress } from './read-address.ts'
import type { KnownKeys } from './restore/check-signers.ts'
import { ownersIn, treatmentOf } from './restore/entry-kinds.ts'
import { executeRestore } from './restore/execute-restore.ts'
import { findPayments } from './restore/find-payments.ts'
import { planRestore, type RestorePlan } from './restore/plan-restore.ts'
import { readStore } from './restore/read-store.ts'
import { RestoreRefused } from './restore/restore-refused.ts'

const MAX_LISTED = 1_000
/** No money is in these rows, and no entry of before depends on them. */
const GONE =
  "sign-ups of accounts without an activation, an order or a lead with one, names, sessions and preferences; lists of swaps, and the fees that make the next days' boxes; points of boards and charts; notices"

export const restoreFromBookkeeper: OperatorCommand = {
  about:
    "imports the entries and headers that a restored database lacks from a copy of a bookkeeper's store, and freezes the accounts whose boxes or rows of RT are gone. Every server must be stopped",
  words: '--from <folder> --reason <text> [--root-key <address>] [--bookkeeper-key <address>] [--execute]',
  options: ['from', 'reason', 'execute', 'root-key', 'bookkeeper-key'],
  async run({ words, json, execute, reason, from, ...given }) {
    const named = [given['root-key'], given['bookkeeper-key']]
    if (words.length > 0 || !from || !reason || !isPrintable(reason)) return undefined
    if (named.some((text) => text !== undefined && readAddress(text) === undefined)) return undefined
    const [rootKey, bookkeeper] = named.map((text) => text?.toLowerCase())
    return withConfigFile((config, db) => {
      const bookkeepers = bookkeeper === undefined ? configuredBookkeepers(config) : [bookkeeper]
      const keys = { rootKey: rootKey ?? configuredRootKey(config), bookkeepers }
      return withChain(
        config,
        db,
        () => {},
        (chain, custody) => restore({ config, db, chain, custody, keys }, from, { json, execute, reason }),
      )
    })
  },
}

/** The address of the root key, where the configuration has the key. Everyone knows the one of the local profile. */
function configuredRootKey(config: Config): string | undefined {
  const { proofRootKey, profile } = config.env
  return proofRootKey || profile === 'local' ? rootAccount(config).address.toLowerCase() : undefined
}

function configuredBookkeepers({ env }: Config): readonly string[] | undefined {
  if (env.bookkeepers.length > 0) return env.bookkeepers.map(({ address }) => address.toLowerCase())
  return env.profile === 'local' ? [localBookkeeperAccount().address.toLowerCase()] : undefined
}

/** The parts of the site that a restore needs. */
interface RestoreSite {
  readonly config: Config
  readonly db: Database
  readonly chain: Chain
  readonly custody: Custody
  /** Those that are named or configured. */
  readonly keys: KnownKeys
}

/** @param folder of the store, or the file itself. */
async function restore(
  { config, db, chain, custody, keys }: RestoreSite,
  folder: string,
  { json, execute, reason }: Pick<Arguments, 'json' | 'execute'> & { readonly reason: string },
): Promise<Outcome> {
  try {
    const isFolder = (await stat(folder)).isDirectory()
    const store = await readStore(isFolder ? join(folder, 'ledger.jsonl') : folder, (await readTip(db)).seq)
    const plan = await planRestore(db, store, { chainId: chain.id, custody, keys })
    const found = await findPayments(db, chain, plan, custody)
    const frozen = plan.entries.filter(({ seq, kind }) => treatmentOf(kind) === 'freeze' && !plan.rows.covers(seq))
    if (execute && (await isNeeded(db, plan))) {
      const { now } = await openOperatorClock(config, db)
      const vault = custody.vault.toLowerCase()
      const of = { chainId: chain.id, operator: custody.operator, vault, lastSigner: await readLastSigner(db), reason }
      await executeRestore(db, { plan, found, store }, { ...of, now: now() })
    }
    return { text: describe(plan, frozen, { json, execute }), faults: [], exitCode: 0 }
  } catch (error) {
    if (error instanceof RestoreRefused) return failure(error.message)
    throw error
  }
}

/** Something is missing, or an earlier restore was interrupted. */
async function isNeeded(db: Database, { entries, headers, rows }: RestorePlan): Promise<boolean> {
  const open = await db.query('select 1 from restores where finished_at is null limit 1')
  return entries.length > 0 || headers.length > 0 || rows.lines.length > 0 || open.length > 0
}

async function readLastSigner(db: Database): Promise<string | null> {
  const [row] = await db.query<{ signed_by: string | null }>(
    'select signed_by from withdrawal_orders where signed_by is not null order by created_at desc, id desc limit 1',
  )
  return row?.signed_by ?? null
}

function describe(
  { entries, headers, newest, bare }: RestorePlan,
  frozen: RestorePlan['entries'],
  { json, execute }: Pick<Arguments, 'json' | 'execute'>,
): string {
  const listed = frozen.slice(0, MAX_LISTED).map(({ seq, kind, reference, postings }) => {
    return { entry: `${seq}`, kind, reference, accounts: ownersIn(postings) }
  })
  if (json) {
    const counts = {
      entries: entries.length,
      headers: headers.length,
      newest_header: newest ? `${newest.number}` : null,
    }
    return JSON.stringify({ executed: execute, ...counts, frozen: listed }, null, 2)
  }
  const verb = execute ? 'were imported' : 'would be imported'
  const lost = entries.length === 0 ? [] : [`Not in the store, and gone since the backup: ${GONE}.`]
  return [
    `${entries.length} entries and ${headers.length} headers ${verb}. The newest header is ${newest?.number ?? 'none'}.`,
    ...(bare.length === 0
      ? []
      : [
          `${bare.length} activations have no rows, and are made from their entries. Those accounts have the inviter that the backup or a later row has, or none.`,
        ]),
    ...(frozen.length === 0
      ? []
      : [`${frozen.length} entries belong to objects that are gone. Their accounts are frozen:`]),
    ...listed.map(({ entry, kind, reference, accounts }) => `  ${entry} ${kind} ${reference} ${accounts.join(' ')}`),
    ...lost,
  ].join('\n')
}
