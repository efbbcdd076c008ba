import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { textOf } from '../../testing/facts.ts'
import { OverdueNote } from './repay-sheet.tsx'

const DUE = '2030-01-02T00:00:00.000Z'

test.each([
  ['before its time', 0, '2030-01-01T23:59:59.000Z', ''],
  [
    'after its time',
    0,
    DUE,
    'The repayment time has passed, so anyone can liquidate this loan. Only full repayment prevents that.',
  ],
  ['that is repaid', 1, DUE, ''],
] as const)('a repayment of a loan %s says whether a part helps', (_name, status, now, text) => {
  vi.useFakeTimers({ now: new Date(now) })
  showLocale('en')
  expect(textOf(renderToStaticMarkup(<OverdueNote loan={{ status, repayment_time: DUE }} />))).toBe(text)
  vi.useRealTimers()
})
