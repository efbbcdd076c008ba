import type { CanaryItem } from './canary-exit.tsx'
import type { RuleChange } from './change-row.tsx'

const words = (en: string) => ({ en, 'zh-HK': en })

/** A fee that rises, opening times, and lending parameters: the first starts later, the second was withdrawn. */
export const CHANGES: readonly RuleChange[] = [
  {
    id: 'swap-fees-2',
    rule: 'swap-fees',
    title: words('Swap fee'),
    parts: [{ title: words('Whole fee'), unit: 'fraction', before: '0.0025', after: '0.003' }],
    announced_at: '2029-12-30T04:00:00.000Z',
    starts_at: '2030-01-06T16:30:00.000Z',
    withdrawn_at: null,
  },
  {
    id: 'claim-opening-1',
    rule: 'claim-opening',
    title: words('Opening times of claims'),
    parts: [{ title: words('Open'), unit: 'opening', before: 'always', after: '09:00–18:00' }],
    announced_at: '2029-12-20T04:00:00.000Z',
    starts_at: '2029-12-27T04:00:00.000Z',
    withdrawn_at: '2029-12-21T04:00:00.000Z',
  },
  {
    id: 'lending-2',
    rule: 'lending',
    title: words('Parameters of the lending market'),
    parts: [],
    announced_at: '2029-10-20T04:00:00.000Z',
    starts_at: '2029-11-19T04:00:00.000Z',
    withdrawn_at: null,
  },
]

const HASH = (byte: string) => `0x${byte.repeat(32)}`

/** An exit in progress, and one that was paid. */
export const CANARY_EXITS: CanaryItem[] = [
  {
    ...{ state: 'waiting', requested_at: '2029-12-29T01:00:00.000Z', ready_at: '2030-01-05T01:00:00.000Z' },
    ...{ request_tx: HASH('c3'), ended_at: null, paid: [] },
  },
  {
    ...{ state: 'paid', requested_at: '2029-12-21T20:00:00.000Z', ready_at: '2029-12-28T20:00:00.000Z' },
    ...{ request_tx: HASH('c1'), ended_at: '2029-12-28T23:20:00.000Z' },
    paid: [
      { asset: 'BNB', amount: '0.01', tx_hash: HASH('b1'), booked_at: '2029-12-28T23:05:00.000Z' },
      { asset: 'USDT', amount: '5', tx_hash: HASH('d1'), booked_at: '2029-12-28T23:10:00.000Z' },
    ],
  },
]
