import { testCommandWords } from '../../testing/command-words.ts'
import words from './activation.commands.ts'

testCommandWords(words, {
  activeByBalance: [
    {
      payload: {},
      facts: { price: '10', asset: 'USDT' },
      asked: ['Activate the account for 10 USDT', '以 10 USDT 啟用帳戶'],
    },
  ],
})
