import { testCommandWords } from '../../testing/command-words.ts'
import words from './swap.commands.tsx'

const RECEIPT = { deadline: '2030-01-01T00:00:00.000Z', pool_id: 'bnb-usdt' }
const SWAP_FACTS = { sold: 'USDT', bought: 'BNB', quotedIn: '1', quotedOut: '1' } as const

testCommandWords(words, {
  doSwap: [
    {
      payload: { ...RECEIPT, inverse: 1, amount: '30', min_amount_out: '0.05' },
      facts: SWAP_FACTS,
      asked: ['Swap 30 USDT for at least 0.05 BNB', '閃兌 30 USDT，最少收到 0.05 BNB'],
    },
    {
      payload: { ...RECEIPT, inverse: 1, exact: 'out', amount: '0.05', max_amount_in: '31' },
      facts: SWAP_FACTS,
      asked: ['Buy 0.05 BNB for at most 31 USDT', '買入 0.05 BNB，最多支付 31 USDT'],
    },
  ],
})
