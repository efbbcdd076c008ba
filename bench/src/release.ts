import { parseArgs } from 'node:util'
import { auditBooks } from '@clearwell/ledger/audit'
import type { Database } from '@clearwell/ledger/database'
import { migrate } from '@clearwell/ledger/migrate'
import { openPgliteDatabase } from '@clearwell/ledger/pglite-database'
import { Writer } from '@clearwell/ledger/writer'
import { addDays } from '@clearwell/rules/hong-kong-day'
import { collectRt } from '@clearwell/server/src/features/rich/move-rt.ts'
import { releaseRt } from '@clearwell/server/src/features/rich/release-rt.ts'
import { richConfig, richRules } from '@clearwell/server/src/features/rich/rich.config.ts'
import { MIGRATION_FOLDERS } from '@clearwell/server/src/platform/database/open-database.ts'
import { findHubFaults } from '@clearwell/server/src/platform/ledger/check-hub.ts'
import { createRt } from '@clearwell/server/src/platform/ledger/genesis.ts'
import { systemClock } from '@clearwell/server/src/platform/time/clock.ts'
import { machine } from './machine.ts'
import { formatTable } from './table.ts'
import { wholeNumber } from './whole-number.ts'

const E18 = 10n ** 18n
const RULES = richRules({ rich: richConfig.shape.rich.parse(undefined) })
const userOf = (index: number) => `0x${index.toString(16).padStart(40, '0')}`

/** Measures a daily release of RT and a collection with few and with many accounts, in turn, on the server's own commands. */
export async function benchRelease(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      small: { type: 'string', default: '1000' },
      large: { type: 'string', default: '100000' },
      days: { type: 'string', default: '60' },
    },
  })
  const sizes = [wholeNumber('--small', values.small), wholeNumber('--large', values.large)] as const
  const days = wholeNumber('--days', values.days)
  console.log(`${machine()} PGlite, in this process.`)
  const hubs = [await openHub(sizes[0]), await openHub(sizes[1])] as const
  const times = { release: [[], []] as number[][], collect: [[], []] as number[][] }
  for (let index = 0; index < days; index++)
    for (const side of index % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const { writer } = hubs[side]
      const day = addDays('2030-01-01', index)
      times.release[side]?.push(await timeMs(() => writer.execute(releaseRt(RULES, day))))
      const collect = collectRt(RULES, { userId: userOf(index), key: undefined })
      times.collect[side]?.push(await timeMs(() => writer.execute(collect)))
    }
  for (const { db, writer } of hubs) {
    const faults = [...(await auditBooks(db)), ...(await findHubFaults(db))]
    if (faults.length > 0) throw new Error(`the books are wrong:\n${faults.join('\n')}`)
    await writer.close()
    await db.close()
  }
  const rows = Object.entries(times).map(([what, [small = [], large = []]]) => [
    what,
    `${median(small).toFixed(2)} ms`,
    `${median(large).toFixed(2)} ms`,
    (median(large) / median(small)).toFixed(2),
  ])
  const head = ['one day', `${sizes[0]} accounts`, `${sizes[1]} accounts`, 'ratio']
  console.log(formatTable([head, ...rows]))
}

/** A hub whose accounts all have a star. */
async function openHub(accounts: number): Promise<{ readonly db: Database; readonly writer: Writer }> {
  const db = await openPgliteDatabase()
  await migrate(db, MIGRATION_FOLDERS)
  await db.query(
    `insert into users (id, invite_code, nickname, created_at)
     select '0x' || lpad(to_hex(n), 40, '0'), 'bench' || n, '', now() from generate_series(0, $1::integer - 1) n`,
    [accounts],
  )
  await db.query(
    `insert into rich_accounts (id, uid, name, star, settled_index, to_collect, collected, linked_at)
     select id, (1000000 + row_number() over ())::text, 'bench', 1 + (row_number() over () % 9)::integer, 0, 0, 0, now() from users`,
  )
  await db.query(
    `insert into rich_program (id, release_index, weight, accounts)
     select 'rt', 0, trunc(sum(2::numeric ^ (star - 1))), count(*) from rich_accounts`,
  )
  await db.script('vacuum analyze')
  const writer = await Writer.open({
    db,
    clock: systemClock,
    randomId: () => 'bench'.repeat(8),
    holder: 'bench',
    leaseTtlMs: 60_000,
    exclusive: true,
    onError: (error) => {
      throw error
    },
  })
  await writer.execute(createRt({ total: 100_000_000n * E18, program: 30_000_000n * E18 }))
  return { db, writer }
}

async function timeMs(run: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await run()
  return performance.now() - startedMs
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
