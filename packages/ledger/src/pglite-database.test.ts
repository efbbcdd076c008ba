import { expect, test } from 'vitest'
import { openTestDatabase } from './testing/database.ts'

test.runIf(process.env.TEST_DATABASE !== 'postgres')('a transaction cannot wait for a query outside it', async () => {
  const db = await openTestDatabase()
  for (const outside of [() => db.query('select 1'), () => db.transaction((tx) => tx.query('select 1'))]) {
    await expect(db.transaction(() => outside())).rejects.toThrow('a transaction waits for a query outside it')
  }
  // Work that a transaction has started and left running may query once it has ended.
  const ended = Promise.withResolvers<void>()
  const later = await db.transaction(async () => ({ rows: ended.promise.then(() => db.query('select 1 as one')) }))
  ended.resolve()
  expect(await later.rows).toEqual([{ one: 1 }])
  await db.close()
})

test.runIf(process.env.TEST_DATABASE !== 'postgres')(
  'a prepared statement outlives errors and changed tables',
  async () => {
    const db = await openTestDatabase()
    await db.script('create table things (id bigint primary key)')
    const insert = (id: bigint) => db.query('insert into things (id) values ($1) returning id', [id])
    const all = () => db.query('select * from things order by id')
    expect(await insert(1n)).toEqual([{ id: 1n }])
    await expect(insert(1n)).rejects.toMatchObject({ code: '23505' })
    const undone = db.transaction(async (tx) => {
      await tx.query('insert into things (id) values ($1) returning id', [2n])
      await tx.query('select $1::bigint / 0', [1n])
    })
    await expect(undone).rejects.toMatchObject({ code: '22012' })
    expect(await all()).toEqual([{ id: 1n }])
    await db.script('alter table things add name text')
    expect(await insert(3n)).toEqual([{ id: 3n }])
    expect(await all()).toEqual([
      { id: 1n, name: null },
      { id: 3n, name: null },
    ])
    await db.close()
  },
)

test.runIf(process.env.TEST_DATABASE !== 'postgres')(
  'statements of one commit are written together or not',
  async () => {
    const db = await openTestDatabase()
    await db.script('create table things (id bigint primary key)')
    const insert = (id: bigint) => ({ text: 'insert into things (id) values ($1)', params: [id] })
    await expect(db.commitInOrder([insert(1n), insert(2n), insert(1n), insert(3n)])).rejects.toMatchObject({
      code: '23505',
    })
    expect(await db.query('select * from things')).toEqual([])
    await Promise.all([db.commitInOrder([insert(1n), insert(2n)]), db.commitInOrder([insert(3n)])])
    expect(await db.query('select * from things order by id')).toEqual([{ id: 1n }, { id: 2n }, { id: 3n }])
    await db.close()
  },
)

test.runIf(process.env.TEST_DATABASE !== 'postgres')(
  'a statement reads the same before and after its table grows',
  async () => {
    const db = await openTestDatabase()
    await db.script('create table things (id bigint primary key, tags text[], size numeric(78,0), name text)')
    const read = (id: bigint) => db.query('select * from things where id = $1', [id])
    for (let n = 0n; n < 8n; n++) expect(await read(n)).toEqual([])
    const row = (id: bigint) => ({ id, tags: ['a', 'b'], size: id * 10n ** 30n, name: null })
    for (const first of [1n, 10_001n])
      await db.query(
        `insert into things select id, '{a,b}', id * 1e30::numeric, null from generate_series($1::bigint, $1 + 9999) as id`,
        [first],
      )
    for (const id of [1n, 20_000n]) expect(await read(id)).toEqual([row(id)])
    await db.close()
  },
)
