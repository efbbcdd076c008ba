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
