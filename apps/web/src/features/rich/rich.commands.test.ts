import { testCommandWords } from '../../testing/command-words.ts'
import words from './rich.commands.ts'

testCommandWords(words, {
  linkUid: [
    { payload: { uid: '123456', name: 'Ann' }, facts: undefined, asked: ['Link UID 123456', '連結 UID 123456'] },
  ],
  renameUid: [{ payload: { name: 'Ann' }, facts: undefined, asked: ['Rename the UID to Ann', '將 UID 改名為 Ann'] }],
  depositRt: [{ payload: { amount: '100' }, facts: undefined, asked: ['Deposit 100 RT', '存入 100 RT'] }],
  collectRt: [
    {
      payload: {},
      facts: { amount: '0.2' },
      asked: ['Collect 0.2 RT', '領取 0.2 RT'],
      done: [{ wallet_balance: '50' }, 'Your RT wallet balance is now 50 RT.'],
    },
  ],
  takeBackRt: [{ payload: {}, facts: { amount: '45' }, asked: ['Take back 45 RT', '取回 45 RT'] }],
  stepDown: [{ payload: {}, facts: undefined, asked: ['Step down to no star', '降至無星級'] }],
  requestUpgrade: [{ payload: {}, facts: undefined, asked: ['Request upgrade', '申請升級'] }],
  approveUpgrade: [
    {
      payload: { request_id: 'a' },
      facts: { name: 'Ann', star: 2 },
      asked: ['Approve Ann’s request', '批核 Ann 的申請'],
    },
  ],
})
