import { SIGNED_HEADER } from '../proof.samples.ts'
import type { FailedCheck, KeptCheck } from './kept-check.ts'

const LEAF = { kind: 'user' as const, deposited_seen: '0', paid_seen: '0', salt: '0x', index: 5, path: [] }
const POSITION = { salt: '0x', index: 0, path: [] }

/** A check that held, for the gallery and tests. */
export const KEPT_CHECK: KeptCheck = {
  checkedAt: '2030-01-01T00:00:00.000Z',
  signed: SIGNED_HEADER,
  mine: {
    number: SIGNED_HEADER.number,
    leaves: [
      { ...LEAF, asset: 'BNB', free: '2498900000000000000' },
      { ...LEAF, asset: 'USDT', free: '7616323210000000000000' },
      { kind: 'pledge' as const, ...POSITION, asset: 'USDT', shares: '500000000000000000000' },
      {
        ...{ kind: 'order' as const, ...POSITION, index: 1, order_id: 'ab'.repeat(16) },
        ...{ collateral_asset: 'BNB', collateral: '1500000000000000000' },
        ...{ debt_asset: 'USDT', debt_shares: '300000000000000000000' },
      },
    ],
  },
  balances: [['available', 'USDT', '7616323210000000000000']],
  signer: `0x${'ab'.repeat(20)}`,
}

/** A check that did not hold. */
export const FAILED_CHECK: FailedCheck = {
  checkedAt: '2030-01-01T00:00:00.000Z',
  fault: 'path',
  detail: '',
  evidence: {
    domain: { chainId: 31337, vault: '0x' },
    tokens: {},
    account: '0x',
    keys: { root: [], bookkeepers: [] },
    mine: KEPT_CHECK.mine,
    signed: SIGNED_HEADER,
    newest: SIGNED_HEADER,
    kept: null,
    again: null,
    from: '1',
  },
  rows: null,
}
