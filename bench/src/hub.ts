import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '@clearwell/ledger/database'
import { migrate } from '@clearwell/ledger/migrate'
import { openPgliteDatabase } from '@clearwell/ledger/pglite-database'
import type { Writer } from '@clearwell/ledger/writer'
import { E18 } from '@clearwell/money/scale'
import { richConfig, richRules } from '@clearwell/server/src/features/rich/rich.config.ts'
import { MIGRATION_FOLDERS } from '@clearwell/server/src/platform/database/open-database.ts'
import { createRt } from '@clearwell/server/src/platform/ledger/genesis.ts'
import { openBenchWriter } from './bench-writer.ts'
import { endLater } from './clean-up.ts'

const PER_STATEMENT = 50_000
export const RULES = richRules({ rich: richConfig.shape.rich.parse(undefined) })

export interface Hub {
  readonly db: Database
  readonly writer: Writer
  readonly accounts: number
  close(): Promise<void>
}

/** The accounts of a hub: without inviters, all invited by the first one, or each by the one before it. */
export type HubShape = 'apart' | 'flat' | 'line'

/** The inviter of an account, in SQL. */
const INVITERS: Readonly<Record<HubShape, string>> = {
  apart: 'null',
  flat: `case when n > 0 then '0x' || lpad('0', 40, '0') end`,
  line: `case when n > 0 then '0x' || lpad(to_hex(n - 1), 40, '0') end`,
}

export const userOf = (index: number) => `0x${index.toString(16).padStart(40, '0')}`

/** A hub whose accounts all have a star. The database has a folder, so that its rows do not count as memory. */
export async function openHub(accounts: number, shape: HubShape = 'apart'): Promise<Hub> {
  console.log(`… filling ${accounts} accounts${shape === 'apart' ? '' : `, ${shape}`}`)
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-release-'))
  const removeFolder = () => rm(folder, { recursive: true, force: true })
  endLater(removeFolder)
  const db = await openPgliteDatabase(folder)
  await migrate(db, MIGRATION_FOLDERS)
  await fillHub(db, accounts, shape)
  const writer = await openBenchWriter(db)
  await writer.execute(createRt({ total: 100_000_000n * E18, program: 30_000_000n * E18 }))
  return {
    db,
    writer,
    accounts,
    async close() {
      await writer.close()
      await db.close()
      await removeFolder()
    },
  }
}

async function fillHub(db: Database, accounts: number, shape: HubShape): Promise<void> {
  const inviter = INVITERS[shape]
  for (let from = 0; from < accounts; from += PER_STATEMENT) {
    const range = [from, Math.min(accounts, from + PER_STATEMENT) - 1]
    await db.query(
      `insert into users (id, invite_code, parent_id, nickname, created_at)
       select '0x' || lpad(to_hex(n), 40, '0'), 'bench' || n, ${inviter}, '', now()
       from generate_series($1::bigint, $2::bigint) n`,
      range,
    )
    await db.query(
      `insert into rich_accounts (id, uid, name, star, settled_index, to_collect, collected, weight, linked_at, parent_id, listed_at)
       select '0x' || lpad(to_hex(n), 40, '0'), (1000000 + n)::text, 'bench', 1 + (n % 9)::integer, 0, 0, 0,
         trunc(2::numeric ^ (n % 9)), now(), ${inviter}, now()
       from generate_series($1::bigint, $2::bigint) n`,
      range,
    )
  }
  await db.query(
    `insert into rich_program (id, release_index, weight, next_weight, accounts)
     select 'rt', 0, sum(weight), sum(weight), count(*) from rich_accounts`,
  )
  await db.script('vacuum analyze')
  await db.script('checkpoint')
}
