import { expect, test } from 'vitest'
import { layoutReceipt, RECEIPT_WIDTH, type ReceiptContent } from './receipt-layout.ts'

/** Every character is as wide as half its size. */
const measure = (text: string, _font: string, size: number) => (text.length * size) / 2
const BRAND = { product: 'Clearwell', site: 'clearwell.example' }
const HASH = `0x${'ab12'.repeat(16)}`
const receipt = (change: Partial<ReceiptContent> = {}): ReceiptContent => ({
  title: 'Transfer in',
  amounts: [{ amount: '+500', asset: 'USDT' }],
  facts: [{ label: 'Transaction hash', value: HASH, isCode: true }],
  fileName: 'receipt.png',
  ...change,
})

test('a hash is wrapped and stays whole', () => {
  const { texts } = layoutReceipt(receipt(), BRAND, measure)
  const lines = texts.filter(({ font }) => font === 'code')
  expect(lines.length).toBeGreaterThan(1)
  expect(lines.map(({ text }) => text).join('')).toBe(HASH)
})

test('even the longest text stays inside the picture', () => {
  const amounts = [{ amount: `+${'123,456,789'.repeat(4)}.000000000000000001`, asset: 'USDT' }]
  const { texts, height } = layoutReceipt(receipt({ amounts }), BRAND, measure)
  for (const { text, x, y, font, size, align } of texts) {
    const width = measure(text, font, size)
    const left = align === 'left' ? x : align === 'right' ? x - width : x - width / 2
    expect(left, text).toBeGreaterThanOrEqual(0)
    expect(left + width, text).toBeLessThanOrEqual(RECEIPT_WIDTH)
    expect(y).toBeLessThan(height)
  }
})

test('each fact makes the picture taller', () => {
  const facts = [
    { label: 'Time', value: '22 Nov 2026 20:14:14' },
    { label: 'Status', value: 'Completed' },
  ]
  const one = layoutReceipt(receipt({ facts: facts.slice(0, 1) }), BRAND, measure)
  expect(layoutReceipt(receipt({ facts }), BRAND, measure).height).toBeGreaterThan(one.height)
})
