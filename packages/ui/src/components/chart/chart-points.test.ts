import { describe, expect, test } from 'vitest'
import { chartPoints, drawnPoints, nearestPoint, summarizeSeries } from './chart-points.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 0, minute)).toISOString()
const seconds = (minute: number) => Date.UTC(2026, 2, 1, 0, minute) / 1000

test('sorts points and keeps the last of each second', () => {
  const points = chartPoints([
    { time: at(2), value: '3' },
    { time: at(0), value: '1' },
    { time: at(1), value: '2' },
    { time: at(1).replace('.000', '.400'), value: '2.5' },
  ])
  expect(points.map(({ seconds: second, value }) => [second, value])).toEqual([
    [seconds(0), '1'],
    [seconds(1), '2.5'],
    [seconds(2), '3'],
  ])
})

test.each([null, '', 'NaN', '1e5', '0x10'])('the value %j becomes a gap that keeps its time', (value) => {
  const points = chartPoints([
    { time: at(0), value: '1' },
    { time: at(1), value },
  ])
  expect(points[1]).toEqual({ seconds: seconds(1), value: null })
  expect(drawnPoints(points).map((point) => point.value)).toEqual(['1'])
})

test('leaves out points with an invalid time', () => {
  expect(chartPoints([{ time: 'yesterday', value: '1' }])).toEqual([])
})

describe('the summary of a series', () => {
  test('summarizes a series beyond floating-point precision', () => {
    const points = drawnPoints(
      chartPoints([
        { time: at(0), value: '100000000000000000.000000000000000002' },
        { time: at(1), value: '100000000000000000.000000000000000001' },
        { time: at(2), value: '100000000000000000.000000000000000003' },
        { time: at(3), value: '100000000000000000.000000000000000002' },
      ]),
    )
    const summary = summarizeSeries(points)
    expect([summary?.first, summary?.low, summary?.high, summary?.last].map((point) => point?.time)).toEqual([
      at(0),
      at(1),
      at(2),
      at(3),
    ])
  })

  test('summarizes negative values', () => {
    const points = drawnPoints(
      chartPoints([
        { time: at(0), value: '-1' },
        { time: at(1), value: '-3.5' },
        { time: at(2), value: '0' },
      ]),
    )
    expect(summarizeSeries(points)).toMatchObject({ low: { value: '-3.5' }, high: { value: '0' } })
  })

  test('summarizes an empty series as nothing', () => {
    expect(summarizeSeries([])).toBeUndefined()
  })
})

describe('the crosshair', () => {
  const points = drawnPoints(chartPoints([0, 10, 20].map((minute) => ({ time: at(minute), value: '1' }))))

  test('the crosshair goes to the point nearest to the finger', () => {
    expect(nearestPoint(points, seconds(4))).toBe(0)
    expect(nearestPoint(points, seconds(6))).toBe(1)
    expect(nearestPoint(points, seconds(99))).toBe(2)
    expect(nearestPoint([], seconds(1))).toBe(-1)
  })
})
