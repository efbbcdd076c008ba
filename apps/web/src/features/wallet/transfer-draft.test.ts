import { expect, test } from 'vitest'
import { readDraft } from './transfer-draft.ts'

test.each([
  [
    { asset: 'USDT', amount: '100.5' },
    { asset: 'USDT', amount: '100.5' },
  ],
  [{ asset: 'USDT', amount: 100.5 }, { asset: 'USDT' }],
  [{ asset: 'usdt', amount: '1e3' }, {}],
  [{ asset: 'BNB', amount: '-1' }, { asset: 'BNB' }],
  [
    { way: 'out', asset: 'ETH', amount: '1' },
    { way: 'out', asset: 'ETH', amount: '1' },
  ],
  [{ way: 'in' }, {}],
  [{}, {}],
])('the path %o names the draft %o', (search, draft) => {
  expect(readDraft(search)).toEqual(draft)
})
