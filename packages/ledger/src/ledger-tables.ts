import { column, daysAfter, defineTable, forever, type Table } from './table.ts'

/**
 * The ledger's own tables. A command of a user may be repeated for `retention.answersDays`; after that its idempotency key is
 * unknown. The keys of operators and of the server itself are never forgotten.
 */
export const LEDGER_TABLES: readonly Table<unknown>[] = [
  defineTable(
    'entries',
    forever(
      'the ledger is append-only, and its hash chain covers every entry. The operator can move entries that are older than a year to an archive',
    ),
    {
      seq: column.bigint,
      kind: column.text,
      at: column.time,
      reference: column.text,
      hash: column.bytes,
      accounts: column.list(column.text),
      assets: column.list(column.text),
      amounts: column.list(column.units),
      balances_after: column.list(column.units),
    },
  ),
  defineTable('owner_postings', forever('the postings of the entries, by account'), {
    entry_seq: column.bigint,
    position: column.integer,
    account: column.account,
    asset: column.asset,
    units: column.units,
    balance_after: column.units,
    kind: column.text,
  }),
  defineTable('ledger_archives', forever('one row for each archive: it takes the place of its entries'), {
    first_seq: column.bigint,
    last_seq: column.bigint,
    entries: column.bigint,
    postings: column.bigint,
    hash_before: column.bytes,
    hash: column.bytes,
    origin: column.bytes,
    last_at: column.time,
    file: column.text,
    detached_at: column.time,
  }),
  defineTable(
    'archived_balances',
    forever('the balances after the last archived entry: the next entries continue them'),
    {
      account: column.account,
      asset: column.asset,
      units: column.units,
    },
  ),
  defineTable('balances', forever('one row for each account and asset, and each is owed to somebody'), {
    account: column.account,
    asset: column.asset,
    units: column.units,
  }),
  defineTable(
    'command_outcomes',
    daysAfter('its command was executed or rejected', {
      days: 'retention.answersDays',
      condition: `at < $1 and owner like '0x%'`,
    }),
    {
      owner: column.user('apart'),
      key: column.text,
      kind: column.text,
      payload_hash: column.bytes,
      outcome: column.json<unknown>(),
      at: column.time,
    },
  ),
  defineTable('writer_lease', forever('one row'), {
    id: column.integer,
    fence: column.bigint,
    batch: column.bigint,
    holder: column.optional(column.text),
    renewed_at: column.time,
  }),
  defineTable('migrations', forever('one row for each migration'), {
    name: column.text,
    sha256: column.text,
    ran_at: column.time,
    /** The version that ran it. */
    version: column.optional(column.text),
    /** The oldest version that works after it. */
    needs: column.optional(column.text),
  }),
]
