import type { FeatureConfig } from '@clearwell/api/config.routes'
import type { Exit, ExitClaims } from './exit.queries.ts'

const TIME = '2030-01-01T00:00:00.000Z'

/** An account that has not asked for an exit. */
export const NO_EXIT: Exit = {
  state: 'none',
  vault: null,
  requested_at: null,
  base_at: null,
  repay_until: null,
  ready_at: null,
  allowed: [],
  next: null,
  paid: [],
  owed: [],
}

const CLAIM: ExitClaims['claims'][number] = {
  ...{ asset: 'USDT', amount: '1234.5', token: '0x', index: 1, place: 0, path: [] },
  leaf: { salt: '0x', free: '0', deposited_seen: '0', paid_seen: '0' },
}

/** Two assets that the vault pays. */
export const CLAIMS: ExitClaims = {
  vault: '',
  base: { number: '1234', posted_at: TIME, tx_hash: `0x${'ab'.repeat(32)}` },
  roots: [],
  next: { header_hash: '0x', posted_at: 0, seq: 0 },
  claims: [CLAIM, { ...CLAIM, asset: 'BNB' }],
}

export const PUBLISHED = { vault_exits: false, canary: null } as const satisfies Pick<
  FeatureConfig,
  'vault_exits' | 'canary'
>
