import { testCommandWords } from '../../testing/command-words.ts'
import words from './wallet.commands.ts'

testCommandWords(words, {
  sell: [
    {
      payload: { asset: 'USDT', amount: '12.5' },
      facts: undefined,
      asked: ['Transfer out 12.5 USDT', '轉出 12.5 USDT'],
      done: [
        { amount: '12.5', asset: 'USDT' },
        '12.5 USDT is locked for your transfer out. Submit the voucher with your wallet next.',
      ],
    },
  ],
})
