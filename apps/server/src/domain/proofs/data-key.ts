import { createHmac } from 'node:crypto'

/** Returns the key of the proof data of a quarter. */
export function dataKey(secret: Buffer, quarter: string): Buffer {
  return createHmac('sha256', secret).update(`clearwell proof data ${quarter}`).digest()
}
