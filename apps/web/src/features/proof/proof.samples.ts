import type { FeatureConfig } from '@clearwell/api/config.routes'
import type { ResponseOf } from '@clearwell/api/routes'
import type { Reserves } from './proof.queries.ts'

export const RESERVES: Reserves = {
  assets: [
    { asset: 'BNB', vault: '5', owed: '5', difference: '0' },
    { asset: 'USDT', vault: '3137861.985', owed: '3137861.98', difference: '0.005' },
  ],
  block_number: 1234,
  block_hash: '0xb10c',
  block_time: '2030-01-01T00:00:00.000Z',
  ledger_seq: 12,
  entry_hash: 'e1',
  checked_at: '2030-01-01T00:00:10.000Z',
  age_seconds: 12,
  healthy: true,
  fault: null,
}

/** A header in the place of one that is loading. */
export const SIGNED_HEADER: ResponseOf<'proofHeader'> = {
  number: '1234',
  hash: `0x${'ab'.repeat(32)}`,
  header: {
    number: '1234',
    previous: '0x',
    ledgerSeq: '5120',
    entryHash: '0x',
    cursorBlock: '1234',
    cursorHash: '0x',
    cursorTime: 1_893_456_000,
    positionsRoot: '0x',
    pools: '0x',
    rules: '0x',
    boxDay: 0,
    boxRoot: '0x',
    dataHash: '0x',
    depth: 20,
    rtRoot: '0x',
    rtUsers: '0',
    assets: [],
  },
  signatures: { root: '0x', bookkeeper: null },
  tx_hash: null,
}

export const PUBLISHED = {
  proof_keys: { root: [`0x${'ab'.repeat(20)}`], bookkeepers: [] },
} as const satisfies Pick<FeatureConfig, 'proof_keys'>
