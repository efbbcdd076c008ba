import { call } from './users.ts'

const POOL_ID = 'bnb-usdt'
/** A client's sales in alternating directions, of about the same value at 620 USDT for one BNB, so the price stays. */
const SALES = [
  { amount: '0.01', inverse: 0 },
  { amount: '6.2', inverse: 1 },
] as const
/** The product's default: half a percent. */
const SLIPPAGE_BPS = 50n

export const isDone = (response: string) => response.startsWith('{"code":1,')

/** The least that a client takes for each of its sales, from a real quote. */
export async function priceLimits(baseUrl: string): Promise<string[]> {
  return Promise.all(
    SALES.map(async ({ amount, inverse }) => {
      const quote = await call(baseUrl, 'getQuote', { pool_id: POOL_ID, amount, inverse })
      const [whole = '0', decimals = ''] = quote.amount_out.split('.')
      const units = (BigInt(whole + decimals.padEnd(18, '0')) * (10_000n - SLIPPAGE_BPS)) / 10_000n
      const text = units.toString().padStart(19, '0')
      return `${text.slice(0, -18)}.${text.slice(-18)}`
    }),
  )
}

/** The bytes of a call to doSwap, as a browser would send it. */
export function swapRequest({
  token,
  key,
  side,
  limit,
}: {
  token: string
  key: string
  side: number
  limit: string
}): string {
  const { amount, inverse } = SALES[side as 0 | 1]
  const deadline = Math.floor(Date.now() / 1000) + 600
  const body = `pool_id=${POOL_ID}&amount=${amount}&inverse=${inverse}&min_amount_out=${limit}&deadline=${deadline}`
  return [
    'POST /api/SwapPool/doSwap HTTP/1.1',
    'Host: 127.0.0.1',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    'XX-Device-Type: web',
    `XX-Token: ${token}`,
    `Idempotency-Key: ${key}`,
    'Accept-Language: en',
    '',
    body,
  ].join('\r\n')
}
