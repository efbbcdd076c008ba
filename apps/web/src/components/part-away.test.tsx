import { expect, test } from 'vitest'
import { renderScreen } from '../testing/render-screen.tsx'

const OUT = 'transfers out wait until it’s back. You can still swap.'
const IN = 'so a payment waits and is credited once it’s back.'

test.each([
  ['/en/wallet/sell', OUT],
  ['/en/wallet/buy', IN],
  ['/en/wallet/confirmation?asset=USDT&amount=%2210%22&way=out', OUT],
  ['/en/wallet/confirmation?asset=USDT&amount=%2210%22', IN],
  ['/en/swap/activate', 'a payment by wallet waits until it’s back.'],
  ['/wallet/sell', '恢復前不能轉出款項。你仍可閃兌。'],
])('%s says which act waits for the chain', async (path, sentence) => {
  expect(await renderScreen(path, { config: { degraded: ['chain'] } })).toContain(sentence)
  expect(await renderScreen(path, { config: { degraded: ['market', 'push'] } })).not.toContain(sentence)
})
