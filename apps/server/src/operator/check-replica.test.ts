import { expect, test } from 'vitest'
import { replicaFault } from './check-replica.ts'

const primary = { origin: 'aa', end: 1_000n }
const LAG_MS = 5_000

test.each([
  ['has everything', 'aa', 1_000n, 3_600_000, undefined],
  ['is a moment behind', 'aa', 900n, 5_000, undefined],
  ['is too far behind', 'aa', 999n, 5_600, 'the replica is 6 seconds behind: reads go to the primary from 5 on'],
  ['has another ledger', 'bb', 1_000n, 0, 'READ_DATABASE_URL leads to another ledger than DATABASE_URL'],
  ['is empty', undefined, 1_000n, 0, 'READ_DATABASE_URL leads to another ledger than DATABASE_URL'],
])('a replica that %s', (_name, origin, position, ageMs, fault) => {
  expect(replicaFault(primary, { origin, progress: { position, ageMs } }, LAG_MS)).toBe(fault)
})
