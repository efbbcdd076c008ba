import { testCommandWords } from '../../testing/command-words.ts'
import words from './stake.commands.tsx'

testCommandWords(words, {
  pledge: [{ payload: { asset: 'USDT', amount: '5' }, facts: undefined, asked: ['Pledge 5 USDT', '質押 5 USDT'] }],
  unpledge: [
    {
      payload: { asset: 'USDT', amount: '5' },
      facts: undefined,
      asked: ['Withdraw 5 USDT from the pledge', '從質押提取 5 USDT'],
    },
    {
      payload: { asset: 'USDT', amount: 'all' },
      facts: undefined,
      asked: ['Withdraw the whole USDT pledge', '提取全部 USDT 質押'],
    },
  ],
  lend: [
    {
      payload: {
        borrow_asset: 'USDT',
        borrow_amount: '20',
        collateral_asset: 'BNB',
        collateral_amount: '0.1',
        term_days: 7,
      },
      facts: undefined,
      asked: ['Borrow 20 USDT against 0.1 BNB', '以 0.1 BNB 作抵押，借入 20 USDT'],
    },
  ],
  addCollateral: [
    {
      payload: { order_id: 'a', amount: '0.1' },
      facts: { asset: 'BNB' },
      asked: ['Add 0.1 BNB of collateral', '追加抵押品 0.1 BNB'],
    },
  ],
  removeCollateral: [
    {
      payload: { order_id: 'a', amount: '0.1' },
      facts: { asset: 'BNB' },
      asked: ['Take back 0.1 BNB of collateral', '取回抵押品 0.1 BNB'],
    },
  ],
  repay: [
    {
      payload: { order_id: 'a', amount: '5' },
      facts: { asset: 'USDT' },
      asked: ['Repay 5 USDT', '還款 5 USDT'],
      done: [
        { status: 1, collateral_amount: '1', collateral_asset: 'BNB' },
        '1 BNB is back in your available balance.',
      ],
    },
    {
      payload: { order_id: 'a', amount: 'all' },
      facts: { asset: 'USDT' },
      asked: ['Repay the whole USDT loan', '全數償還 USDT 借貸'],
    },
  ],
})
