import { expect, test } from 'vitest'
import { amountTable } from './amount-table.ts'

const E18 = 10n ** 18n
const none = { BNB: 0n, USDT: 0n, ETH: 0n, RT: 0n }

test('an amount table fits one line and aligns decimal points', () => {
  expect(
    amountTable([
      { name: 'a', units: { ...none, BNB: 12n * E18 + E18 / 2n } },
      'line',
      { name: 'bc', units: { ...none, BNB: -3n * E18 } },
    ]),
  ).toEqual(['    BNB   USDT  ETH  RT', 'a   12.5  0     0    0', '-----------------------', 'bc  -3    0     0    0'])
})

test('an amount table wraps assets beyond 100 characters without cutting digits', () => {
  const long = 123_456_789n * E18 + 123_456_789_012_345_678n
  const units = { BNB: long, USDT: long + 1n, ETH: long + 2n, RT: -long }
  const lines = amountTable([
    { name: 'the vault holds (RT: supply)', units },
    'line',
    { name: 'difference', units: none },
  ])
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(100)
  const text = lines.join('\n')
  for (const digits of ['678', '679', '68 ']) expect(text).toContain(`  123456789.123456789012345${digits}`)
  expect(text).toContain('-123456789.123456789012345678')
  expect(lines.filter((line) => line.startsWith('difference'))).toHaveLength(2)
  expect(lines.filter((line) => line === '')).toHaveLength(1)
})
