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
