import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { ASSET_IDS } from '@clearwell/money/asset'
import { openRecords } from '@clearwell/proofs/proof-data'
import { FORMAT, readBooks as verifyBooks } from '@clearwell/verify/balance-trees'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dataKey } from './data-key.ts'
import { makeDueHeader } from './make-headers.ts'
import { makeHeader, ProofBooks } from './proof-books.ts'
import {
  OPERATOR,
  openProofLedger,
  type ProofLedger,
  SETTINGS,
  SOURCE,
  type Step,
  USERS,
  userOf,
} from './testing/proof-ledger.ts'

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('deposit', 'deposit', 'lock', 'pay', 'swap', 'pledge', 'collateral', 'fee', 'payout', 'cursor'),
  user: fc.nat(USERS - 1),
  asset: fc.constantFrom(...ASSET_IDS),
  units: fc.bigInt(1n, 10n ** 24n),
})

/** The ledger as `operator export` writes it, for the other implementation. */
async function exportBooks({ db }: ProofLedger) {
  const entries = await db.query<{
    seq: bigint
    kind: string
    at: Date
    reference: string
    postings: [string, string, string][]
  }>(
    `select seq, kind, at, reference, (
       select json_agg(json_build_array(account, asset, units::text) order by place)
       from unnest(accounts, assets, amounts) with ordinality as p (account, asset, units, place)
     ) as postings from entries order by seq`,
  )
  const accounts = await db.query<{ account: string; place: number; salt: string }>(
    'select id as account, place, salt from proof_accounts',
  )
  const seen = await db.query<{ account: string; asset: string; deposited: bigint; paid: bigint }>(
    "select account, asset, deposited, paid from vault_counters where account <> '*'",
  )
  return {
    ...{ format: FORMAT, operator: OPERATOR, depth: 20, tokens: SETTINGS.tokens, accounts },
    seen: seen.map((row) => ({ ...row, deposited: `${row.deposited}`, paid: `${row.paid}` })),
    entries: entries.map(
      ({ seq, kind, at, reference, postings }) => [`${seq}`, kind, at.toISOString(), reference, postings] as never,
    ),
  }
}

test('live trees, the database alone and the verifier make one header', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 8 }), { minLength: 1, maxLength: 5 }), async (rounds) => {
      const ledger = await openProofLedger()
      const server = ledger.server()
      const live = new ProofBooks(SETTINGS)
      for (const steps of rounds) {
        for (const each of steps) await ledger.run(each)
        const made = await makeHeader(ledger.db, live, SOURCE)
        const again = await makeHeader(ledger.db, new ProofBooks(SETTINGS), SOURCE)
        expect(again).toEqual(made)
        if (!made) throw new Error('no header')
        const verified = await verifyBooks(await exportBooks(ledger))
        expect(verified).toMatchObject({ ledgerSeq: made.header.ledgerSeq, entryHash: made.header.entryHash })
        for (const figures of made.header.assets) {
          const asset = ASSET_IDS.find((each) => SETTINGS.tokens[each] === figures.token) ?? ''
          const { root, users, lending, payouts, house, locked } = figures
          expect({ root, users, lending, payouts, house, locked }).toEqual(verified.assets[asset])
          const [owed] = await ledger.db.query<{ units: bigint }>(
            "select -units as units from balances where account = 'vault' and asset = $1",
            [asset],
          )
          expect(users + lending + payouts + house).toBe(owed?.units ?? 0n)
        }
        expect(made.header.rtRoot).toBe(verified.assets.RT?.root)
        // Half of the rounds are recorded, so that a header also follows one that was made and never recorded.
        if (steps.length % 2 === 0) await makeDueHeader(server, { force: true })
      }
      await expectBooksBalanced(ledger.db)
      await ledger.close()
    }),
    { numRuns: 3, endOnFailure: true },
  )
}, 120_000)

test('proof data contains every leaf that changed, and nothing else', async () => {
  const ledger = await openProofLedger()
  const books = new ProofBooks(SETTINGS)
  const server = { ...ledger.server(), make: () => makeHeader(ledger.db, books, SOURCE) }
  const deposit = (user: number, units: bigint) => ledger.run({ what: 'deposit', user, asset: 'USDT', units })
  await deposit(0, 5n)
  await deposit(1, 7n)
  await makeDueHeader(server)
  await ledger.run({ what: 'lock', user: 1, asset: 'USDT', units: 3n })
  await ledger.run({ what: 'fee', user: 1, asset: 'USDT', units: 2n })
  await makeDueHeader(server, { force: true })
  const blocks = await ledger.db.query<{ block: string; quarter: string; number: bigint }>(
    'select block, quarter, number from proof_data order by number',
  )
  const places = await ledger.db.query<{ id: string; place: number }>('select id, place from proof_accounts')
  const placeOf = (user: number) => places.find(({ id }) => id === userOf(user))?.place
  const records = blocks.map(({ block, quarter, number }) => {
    const opened = openRecords(dataKey(SETTINGS.dataSecret, quarter), Buffer.from(block, 'base64'))
    expect(opened.number).toBe(number)
    return opened.records.map(({ asset, place, sum }) => ({ asset: ASSET_IDS[asset], place, sum }))
  })
  expect(records[0]?.length).toBe(8)
  expect(records[1]).toEqual([{ asset: 'USDT', place: placeOf(1), sum: 5n }])
  await ledger.close()
})
