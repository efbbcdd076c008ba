import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { entryHash, GENESIS_HASH, type Posting } from './entry-hash.ts'
import { LEDGER_MIGRATIONS, migrate } from './migrate.ts'
import { expectBooksBalanced, openTestDatabase } from './testing.ts'

test('a ledger that had a row for each posting is the same ledger afterwards', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-migrations-'))
  await copyFile(join(LEDGER_MIGRATIONS, '0001_ledger.sql'), join(folder, '0001_ledger.sql'))
  const db = await openTestDatabase([])
  try {
    await migrate(db, [folder])
    const at = new Date('2026-11-21T09:00:00Z')
    const owner = 'user:0x01:available'
    const postings: Posting[][] = [
      [
        { account: 'vault', asset: 'USDT', units: -100n },
        { account: owner, asset: 'USDT', units: 100n },
      ],
      [
        { account: owner, asset: 'USDT', units: -30n },
        { account: 'rewards', asset: 'USDT', units: 10n },
        { account: 'treasury', asset: 'USDT', units: 20n },
      ],
    ]
    const after = [
      [-100n, 100n],
      [70n, 10n, 20n],
    ]
    let hash = GENESIS_HASH
    for (const [index, each] of postings.entries()) {
      const seq = BigInt(index + 1)
      hash = entryHash(hash, { seq, kind: 'test', at, reference: 'r', postings: each })
      const rows = each.map(
        ({ account, asset, units }, place) =>
          `(${seq}, ${place}, '${account}', '${asset}', ${units}, ${after[index]?.[place]})`,
      )
      await db.script(`begin;
        insert into entries values (${seq}, 'test', '${at.toISOString()}', 'r', ${each.length}, '\\x${Buffer.from(hash).toString('hex')}');
        insert into postings values ${rows.join(', ')};
        commit;`)
    }
    await db.script(`insert into balances values
      ('vault', 'USDT', -100), ('${owner}', 'USDT', 70), ('rewards', 'USDT', 10), ('treasury', 'USDT', 20)`)

    await migrate(db, [LEDGER_MIGRATIONS])
    await expectBooksBalanced(db)
    expect(await db.query('select entry_seq, account, balance_after from postings order by 1, position')).toEqual([
      { entry_seq: 1n, account: 'vault', balance_after: -100n },
      { entry_seq: 1n, account: owner, balance_after: 100n },
      { entry_seq: 2n, account: owner, balance_after: 70n },
      { entry_seq: 2n, account: 'rewards', balance_after: 10n },
      { entry_seq: 2n, account: 'treasury', balance_after: 20n },
    ])
    expect(await db.query('select entry_seq, account from owner_postings order by 1, position')).toEqual([
      { entry_seq: 1n, account: 'vault' },
      { entry_seq: 1n, account: owner },
      { entry_seq: 2n, account: owner },
    ])
  } finally {
    await db.close()
    await rm(folder, { recursive: true, force: true })
  }
})
