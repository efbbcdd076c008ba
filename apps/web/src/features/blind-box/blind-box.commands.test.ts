import { testCommandWords } from '../../testing/command-words.ts'
import words from './blind-box.commands.ts'

testCommandWords(words, {
  clickBox: [{ payload: {}, facts: undefined, asked: ['Click today’s box', '點擊今日盲盒'] }],
  claimBoxes: [
    {
      payload: { box_ids: ['a', 'b'] },
      facts: undefined,
      asked: ['Claim the rewards of 2 boxes', '領取 2 個盲盒的獎勵'],
      done: [
        {
          amount: [
            { asset: 'USDT', amount: '2' },
            { asset: 'BNB', amount: '0' },
          ],
        },
        '+2 USDT. Claimed to your available balance.',
      ],
    },
    { payload: { box_ids: ['a'] }, facts: undefined, asked: ['Claim the reward of 1 box', '領取 1 個盲盒的獎勵'] },
    { payload: {}, facts: undefined, asked: ['Claim all rewards', '領取全部獎勵'] },
  ],
})
