import type { AssetId } from '@clearwell/money/asset'
import { parseEther } from 'viem'
import { expect, test } from 'vitest'
import { performanceOf, valueFlows, type Wealth } from './performance.ts'

const at = new Date('2030-01-02T03:30:00Z')
const flow = (kind: string, asset: AssetId, units: string) => ({ kind, asset, units: parseEther(units), at })
const pricesAt = async (asset: AssetId, times: readonly Date[]) =>
  times.map(() => (asset === 'RT' ? undefined : asset === 'BNB' ? parseEther('600') : parseEther('1')))

test('flows are valued by what they did, and reversals cancel them', async () => {
  const flows = await valueFlows(pricesAt, [
    flow('deposit', 'USDT', '500'),
    flow('deposit', 'BNB', '2'),
    flow('deposit_reversal', 'BNB', '-1'),
    flow('withdrawal', 'USDT', '-40'),
    flow('activation', 'USDT', '-10'),
  ])
  expect(flows).toEqual({ in: parseEther('1100'), out: parseEther('40'), activation: parseEther('10') })
})

test('each flow has the price of its hour, rounded toward zero', async () => {
  const hours = ['2030-01-02T03:00:00Z', '2030-01-02T04:00:00Z'].map((text) => new Date(text)) as [Date, Date]
  // A unit at 0.5 is nothing, 3 are 1; at 1.5, 3 are 4.
  const halves = async (_asset: AssetId, times: readonly Date[]) =>
    times.map((time) => (time.getTime() === hours[0].getTime() ? parseEther('0.5') : parseEther('1.5')))
  const of = (kind: string, units: bigint, hour: 0 | 1) => ({ kind, asset: 'BNB' as const, units, at: hours[hour] })
  const flows = [of('deposit', 3n, 0), of('deposit', 3n, 1), of('withdrawal', -1n, 0), of('withdrawal', -3n, 1)]
  expect(await valueFlows(halves, flows)).toEqual({ in: 5n, out: 4n, activation: 0n })
  expect(await valueFlows(halves, [of('deposit_reversal', -3n, 1)])).toEqual({ in: -4n, out: 0n, activation: 0n })
})

test('flows without a price are unknown', async () => {
  expect(await valueFlows(pricesAt, [flow('deposit', 'RT', '1')])).toBeUndefined()
})

// Each row by hand: change = end − start − in + out + activation; percentage of start + in.
test.each([
  ['a transfer in only', { start: '0', end: '500', in: '500', out: '0', activation: '0' }, '0', '0'],
  ['an activation', { start: '0', end: '490', in: '500', out: '0', activation: '10' }, '0', '0'],
  [
    'a gain beside a transfer in',
    { start: '100', end: '625', in: '500', out: '0', activation: '0' },
    '25',
    '0.041666666666666666',
  ],
  [
    'a loss hidden by a transfer in',
    { start: '100', end: '150', in: '60', out: '0', activation: '0' },
    '-10',
    '-0.0625',
  ],
  ['a loss of a third', { start: '3', end: '2', in: '0', out: '0', activation: '0' }, '-1', '-0.333333333333333333'],
  ['everything transferred out', { start: '100', end: '0', in: '0', out: '101', activation: '0' }, '1', '0.01'],
  ['nothing at all', { start: '0', end: '0', in: '0', out: '0', activation: '0' }, '0', null],
])('performance of %s', (_case, { start, end, ...flows }, change_usdt, change) => {
  const units = {
    in: parseEther(flows.in),
    out: parseEther(flows.out),
    activation: parseEther(flows.activation),
  }
  const debtFree = (text: string) => ({ held: parseEther(text), owed: 0n })
  const performance = performanceOf({ since: at, start: debtFree(start), end: debtFree(end), flows: units })
  expect(performance).toMatchObject({ change_usdt, change })
})

// Each row by hand: net is held − owed, and borrowed is the debt after less the debt before.
test.each([
  ['a loan of 400', [1_000, 0], [1_400, 400], { borrowed_usdt: '400', change_usdt: '0', change: '0' }],
  ['a repayment with interest of 2', [1_400, 402], [998, 0], { borrowed_usdt: '-402', change_usdt: '0', change: '0' }],
  [
    'a liquidation that takes 432 of collateral for 400 of debt',
    [1_400, 400],
    [968, 0],
    { borrowed_usdt: '-400', change_usdt: '-32', change: '-0.032' },
  ],
  ['a debt above all assets', [100, 150], [100, 160], { borrowed_usdt: '10', change_usdt: '-10', change: null }],
] as const)('performance of %s', (_case, before, after, expected) => {
  const [start, end] = [before, after].map(([held, owed]) => ({
    held: parseEther(String(held)),
    owed: parseEther(String(owed)),
  })) as [Wealth, Wealth]
  const flows = { in: 0n, out: 0n, activation: 0n }
  expect(performanceOf({ since: at, start, end, flows })).toMatchObject(expected)
})
