import { expect, test } from 'vitest'
import { addPartitions } from './partitions.ts'
import { openTestDatabase } from './testing/database.ts'

const namesOf = (partition: number) => [`entries_${partition}`, `owner_postings_${partition}`]

test('two partitions after the newest entry are ready, and each refuses changes', async () => {
  const db = await openTestDatabase()
  const partitions = async () =>
    (
      await db.query<{ name: string }>(
        `select tablename as name from pg_tables where schemaname = 'public' and tablename ~ '_[0-9]+$' order by 1`,
      )
    ).map(({ name }) => name)
  const insert = (seq: number) =>
    db.script(`insert into entries (seq, kind, at, reference, hash, accounts, assets, amounts, balances_after)
      values (${seq}, 'x', now(), '', sha256('x'), '{vault,a}', '{USDT,USDT}', '{-5,5}', '{-5,5}')`)
  try {
    const first = [0, 20_000_000, 40_000_000].flatMap(namesOf).toSorted()
    expect(await partitions()).toEqual(first)
    await addPartitions(db)
    expect(await partitions()).toEqual(first)

    await expect(insert(60_000_000)).rejects.toThrow(/no partition/)
    await insert(40_000_000)
    await addPartitions(db)
    expect(await partitions()).toEqual([...first, ...[60_000_000, 80_000_000].flatMap(namesOf)].toSorted())
    await insert(60_000_000)
    expect(await db.query('select seq from entries order by seq desc')).toEqual([
      { seq: 60_000_000n },
      { seq: 40_000_000n },
    ])

    // The rules hold in a partition that was added later, also for a statement that names it.
    await expect(db.script('delete from entries_60000000')).rejects.toThrow(/append_only/)
    await expect(db.script('truncate entries_60000000')).rejects.toThrow(/append_only/)
    await expect(db.script('truncate owner_postings_60000000')).rejects.toThrow(/append_only/)
    await expect(
      db.script(`insert into entries_60000000 (seq, kind, at, reference, hash, accounts, assets, amounts, balances_after)
        values (60000001, 'x', now(), '', sha256('x'), '{vault,a}', '{USDT,USDT}', '{-5,6}', '{-5,6}')`),
    ).rejects.toThrow(/does not sum to zero/)
    await expect(
      db.script(`insert into entries_60000000 (seq, kind, at, reference, hash, accounts, assets, amounts, balances_after)
        values (5, 'x', now(), '', sha256('x'), '{vault,a}', '{USDT,USDT}', '{-5,5}', '{-5,5}')`),
    ).rejects.toThrow(/partition constraint/)
  } finally {
    await db.close()
  }
})
