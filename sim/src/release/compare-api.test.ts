import { expect, test } from 'vitest'
import { type ApiDocument, findBrokenCalls } from './compare-api.ts'

const api = (required: string[], data: object): ApiDocument => ({
  paths: {
    '/Wallet/sell': {
      post: {
        requestBody: { content: { 'application/json': { schema: { required } } } },
        responses: { 200: { content: { 'application/json': { schema: { properties: { data } } } } } },
      },
    },
  },
})
const order = { properties: { id: {}, list: { items: { properties: { at: {} } } } } }

test('an API that only grows breaks no call', () => {
  const grown = { properties: { ...order.properties, more: {} } }
  expect(findBrokenCalls(api(['asset'], order), api(['asset'], { anyOf: [grown, {}] }))).toEqual([])
})

test('gone calls, required inputs and missing fields are named', () => {
  expect(findBrokenCalls(api([], order), { paths: {} })).toEqual(['POST /Wallet/sell is gone'])
  expect(findBrokenCalls(api([], order), api(['asset'], { properties: { id: {}, list: {} } }))).toEqual([
    'POST /Wallet/sell requires asset',
    'POST /Wallet/sell does not return data.list.at',
  ])
})
