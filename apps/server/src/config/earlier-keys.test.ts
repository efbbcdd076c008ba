import { expect, test } from 'vitest'
import { readEarlierKeys } from './earlier-keys.ts'

const operator = { name: 'A', place: null, helpUrl: null }

test.each([
  ['a page', 'https://operator.example/terms', { version: '1', url: 'https://operator.example/terms' }],
  ['none', null, null],
])('the terms of 0.2.0 are read as version 1: %s', (_name, termsUrl, terms) => {
  const file = { product: 'kept', operator: { ...operator, termsUrl } }
  expect(readEarlierKeys(file)).toEqual({ product: 'kept', operator: { ...operator, terms } })
})

test('terms with a version replace those of 0.2.0', () => {
  const terms = { version: '2', url: 'https://operator.example/new' }
  const file = { operator: { ...operator, terms, termsUrl: 'https://operator.example/old' } }
  expect(readEarlierKeys(file)).toEqual({ operator: { ...operator, terms } })
})

test.each([[{ operator }], [{}], [{ operator: null }], [null], [[]]])('%j is left as it is', (file) => {
  expect(readEarlierKeys(file)).toBe(file)
})
