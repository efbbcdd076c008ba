import type { Database } from '@clearwell/ledger/database'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { expect, test } from 'vitest'
import type { MadeHeader } from './proof-books.ts'
import { createProofThread } from './proof-thread.ts'
import { openProofLedger, SETTINGS, SOURCE } from './testing/proof-ledger.ts'

const DEPOSIT = 5n

test('two headers made together each contain leaves of their own moment', async () => {
  const ledger = await openProofLedger()
  const deposit = () => ledger.run({ what: 'deposit', user: 0, asset: 'USDT', units: DEPOSIT })
  await deposit()
  let second: Promise<MadeHeader | undefined> | undefined
  const reads: Promise<unknown>[] = []
  const transaction: Database['transaction'] = (run) => {
    const read = ledger.db.transaction(run)
    reads.push(read)
    return reads.length > 1
      ? read
      : read.then(async (moment) => {
          // The first header has its moment, and the thread its leaves. Now the balance doubles, and a second header begins.
          await deposit()
          second = thread.make()
          await reads[1]
          return moment
        })
  }
  const db: Database = new Proxy(ledger.db, {
    get: (target, name) => (name === 'transaction' ? transaction : Reflect.get(target, name).bind?.(target)),
  })
  const thread = createProofThread({ settings: SETTINGS, source: SOURCE, databaseUrl: undefined, db })
  const [first, next] = [await thread.make(), await second]
  const usersOf = (made: MadeHeader | undefined) =>
    made?.header.assets.find(({ token }) => token === SETTINGS.tokens.USDT)?.users
  expect({ first: usersOf(first), next: usersOf(next) }).toEqual({ first: DEPOSIT, next: 2n * DEPOSIT })
  await thread.stop()
  await expectBooksBalanced(ledger.db)
  await ledger.close()
})
