import { expect, test } from 'vitest'
import { formBody, queryText } from './form-body.ts'

test('a form body nests with brackets and omits absent values', { tags: ['§7.04'] }, () => {
  const body = formBody({ a: { b: 1, c: undefined }, ids: ['x', 'y'], on: true, gone: null })
  expect(decodeURIComponent(body.toString())).toBe('a[b]=1&ids[0]=x&ids[1]=y&on=true')
})

test('a query writes list elements as JSON under a bracketed key', { tags: ['§5.20', '§7.06'] }, () => {
  expect(decodeURIComponent(queryText({ ids: ['x', 2], limit: 20 }))).toBe('?ids[]="x"&ids[]=2&limit=20')
  expect(queryText({})).toBe('')
})
