import { expect, test } from 'vitest'
import { readMarketName } from './market.queries.ts'

test('a name of 2 to 20 capitals and digits is canonical', () => {
  for (const name of ['BNBUSDT', 'RT', '1INCHUSDT', 'A'.repeat(20)])
    expect(readMarketName(name)).toEqual({ name, isCanonical: true })
})

test.each(['bnbusdt', 'BnbUsdt'])('%s is read as another spelling of BNBUSDT', (text) => {
  expect(readMarketName(text)).toEqual({ name: 'BNBUSDT', isCanonical: false })
})

test.each(['', 'B', 'A'.repeat(21), 'BNB-USDT', 'BNB/USDT', 'BNB USDT', '幣', 'ſſſ', 'ﬀUSDT', '../etc', 'BNBUSDT\n'])(
  '%j cannot be a market',
  (text) => {
    expect(readMarketName(text)).toBeUndefined()
  },
)
