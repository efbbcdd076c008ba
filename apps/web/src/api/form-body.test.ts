import { expect, test } from 'vitest'
import { formBody, queryText } from './form-body.ts'

test('a body nests with brackets and leaves out what is absent', { tags: ['§7.04'] }, () => {
  const body = formBody({ a: { b: 1, c: undefined }, ids: ['x', 'y'], on: true, gone: null })
  expect(decodeURIComponent(body.toString())).toBe('a[b]=1&ids[0]=x&ids[1]=y&on=true')
})

test('a list in a query is its key with brackets, each element as JSON', { tags: ['§5.20', '§7.06'] }, () => {
  expect(decodeURIComponent(queryText({ ids: ['x', 2], limit: 20 }))).toBe('?ids[]="x"&ids[]=2&limit=20')
  expect(queryText({})).toBe('')
})
