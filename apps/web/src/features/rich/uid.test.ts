import { richRoutes } from '@clearwell/api/rich.routes'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { cleanUid, isName, isUid, uidProblem } from './uid.ts'

const accepts = (input: { uid: string; name: string }) => z.safeParse(richRoutes.linkUid.payload, input).success

test.each(['', '12345', '123456', '12345678901234567890', '123456789012345678901', '12a456', '-123456'])(
  'agrees with the server on the UID %j',
  (uid) => expect(isUid(uid)).toBe(accepts({ uid, name: 'Mei' })),
)

test.each(['', '  ', 'Mei', '美玲', 'x'.repeat(32), 'x'.repeat(33), 'a\u202eb', 'a\nb', ' Mei '])(
  'agrees with the server on the name %j',
  (name) => expect(isName(name)).toBe(accepts({ uid: '123456', name })),
)

test('a pasted UID loses its spaces and full-width digits', () => {
  expect(cleanUid(' １２３ 456 ')).toBe('123456')
})

test.each([
  ['', undefined],
  ['12', 'short'],
  ['123456', undefined],
  ['1'.repeat(21), 'long'],
  ['12a', 'digits'],
] as const)('the UID %j has the problem %j', (uid, problem) => expect(uidProblem(uid)).toBe(problem))
