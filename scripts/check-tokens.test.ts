import { expect, test } from 'vitest'
import { faultsOf } from './check-tokens.ts'

const valuesIn = (text: string) => faultsOf('apps/web/src/app/a.tsx', text).map(({ message }) => message.split(': ')[1])

test('the check finds values outside the tokens', () => {
  const text = `
    <p className="text-[0.8em] bg-[#123456] gap-5 py-2.5 rounded-lg duration-250 h-[calc(100%-3px)]">
    <p style={{ height: '3px' }} className="duration-[2s]">`
  expect(valuesIn(text).toSorted()).toEqual(
    [
      '#123456',
      'duration-250',
      'duration-[2s]',
      'gap-5',
      'h-[calc(100%-3px)]',
      'py-2.5',
      'rounded-lg',
      'style={{ height',
      't-[0.8em]',
    ].toSorted(),
  )
})

test('the check accepts tokens, sizes of the scale and layout', () => {
  const text =
    '<p className="text-body gap-12 p-4 h-13 rounded-card duration-press [overflow-wrap:anywhere] grid-cols-[auto_1fr] top-1/2">'
  expect(valuesIn(text)).toEqual([])
})
