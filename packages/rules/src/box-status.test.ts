import { describe, expect, expectTypeOf, test } from 'vitest'
import { DEFAULT_BOX_RULES as rules } from './box-rules.ts'
import { type BoxStatus, claimBox, divideBox, expireBox, reminderOf, type ToBeAssigned } from './box-status.ts'

const sealed = { status: 2 } as const
const reward = [{ asset: 'USDT', units: 5n }] as const
const dividedAt = new Date('2026-11-23T00:02:00+08:00')
const expiresAt = new Date('2026-12-23T00:02:00+08:00')
const justBefore = new Date(expiresAt.getTime() - 1)
const claimable: ToBeAssigned = { status: 0, reward, expiresAt }

describe('divideBox', () => {
  test('makes a reward claimable for 30 days', () => {
    expect(divideBox(sealed, reward, { now: dividedAt, rules })).toEqual(claimable)
  })

  test('fails a box when there is nothing to divide', () => {
    expect(divideBox(sealed, [], { now: dividedAt, rules })).toEqual({ status: -1, reason: 'nothing_to_divide' })
  })

  test('throws for an amount that is not above zero', () => {
    const bad = [...reward, { asset: 'BNB', units: 0n }] as const
    expect(() => divideBox(sealed, bad, { now: dividedAt, rules })).toThrow(RangeError)
  })
})

test('a box can be claimed until the moment it expires', () => {
  expect(claimBox(claimable, justBefore)).toEqual({ status: 1, reward, claimedAt: justBefore })
  expect(expireBox(claimable, justBefore)).toBeUndefined()
  expect(claimBox(claimable, expiresAt)).toBeUndefined()
  expect(expireBox(claimable, expiresAt)).toEqual({ status: -1, reason: 'expired', reward })
})

test('the owner is reminded three days before the box expires', () => {
  expect(reminderOf(claimable)).toEqual(new Date('2026-12-20T00:02:00+08:00'))
})

test('no other transition compiles', () => {
  type Leaves<Step extends (box: never, ...rest: never[]) => unknown> = Parameters<Step>[0]
  expectTypeOf<Leaves<typeof divideBox>['status']>().toEqualTypeOf<2>()
  expectTypeOf<Leaves<typeof claimBox>['status']>().toEqualTypeOf<0>()
  expectTypeOf<Leaves<typeof expireBox>['status']>().toEqualTypeOf<0>()
  expectTypeOf<BoxStatus['status']>().toEqualTypeOf<2 | 0 | 1 | -1>()
})
