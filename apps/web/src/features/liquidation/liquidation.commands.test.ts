import { testCommandWords } from '../../testing/command-words.ts'
import words from './liquidation.commands.ts'

testCommandWords(words, {
  liquidate: [
    {
      payload: { order_id: 'a', max_debt: '400' },
      facts: { lending: 'USDT', collateral: 'BNB', paid: '390' },
      asked: ['Liquidate an order for 390 USDT', '以 390 USDT 清算訂單'],
      done: [
        { received: '0.9', paid: '390', profit: '30', remaining_debt: '0', status: -1 },
        'You received 0.9 BNB. You paid 390 USDT. At the price of the liquidation your profit is 30 USDT. The order is closed.',
      ],
    },
  ],
})
