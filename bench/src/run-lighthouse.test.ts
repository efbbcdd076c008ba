import { expect, test } from 'vitest'
import { readReport } from './run-lighthouse.ts'

const REPORT = {
  categories: { performance: { score: 0.974 } },
  audits: {
    'largest-contentful-paint': { numericValue: 1234.5 },
    'first-contentful-paint': { numericValue: 1000 },
    'total-blocking-time': { numericValue: 12 },
    'cumulative-layout-shift': { numericValue: 0.01 },
    'network-requests': {
      details: {
        items: [
          { resourceType: 'Document', transferSize: 900 },
          { resourceType: 'Script', transferSize: 100 },
          { resourceType: 'Script', transferSize: 20 },
          { resourceType: 'Fetch' },
        ],
      },
    },
  },
}

test('a report gives its score from 0 to 100 and script totals', () => {
  expect(readReport(REPORT)).toEqual({
    score: 97,
    largestPaintMs: 1234.5,
    firstPaintMs: 1000,
    blockingMs: 12,
    layoutShift: 0.01,
    scriptBytes: 120,
    allBytes: 1020,
  })
})

test('a page that could not be measured is no figure', () => {
  const failed = { ...REPORT, runtimeError: { code: 'NO_FCP', message: 'nothing was painted' } }
  expect(() => readReport(failed)).toThrow('NO_FCP nothing was painted')
  expect(() => readReport({ ...REPORT, categories: { performance: { score: null } } })).toThrow('no performance score')
  expect(() => readReport({ ...REPORT, audits: {} })).toThrow('no largest-contentful-paint')
})
