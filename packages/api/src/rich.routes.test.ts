import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { richRoutes } from './rich.routes.ts'

const link = (input: { uid: unknown; name: unknown }) => z.safeParse(richRoutes.linkUid.payload, input).data

test.each(['123456', '00000001', '12345678901234567890'])('takes the UID %s', (uid) => {
  expect(link({ uid, name: ' Alice ' })).toEqual({ uid, name: 'Alice' })
})

test.each(['', '12345', '123456789012345678901', '12345a', '１２３４５６', ' 123456', 123456])(
  'rejects the UID %j',
  (uid) => expect(link({ uid, name: 'Alice' })).toBeUndefined(),
)

test.each(['', '   ', 'x'.repeat(33), 'a\u0000b', 'Al\u202eice', 'a\nb', '\u200b'])('rejects the name %j', (name) => {
  expect(link({ uid: '123456', name })).toBeUndefined()
})
