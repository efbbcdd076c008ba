import { expect, test } from 'vitest'
import { ConnectionLimiter } from './connection-limiter.ts'

const LIMITS = { inAll: 200, perAddress: 2, sessionsPerAddress: 60, perAccount: 3, perSession: 2 }
const OFFICE = '203.0.113.7'

const callerOf = (user: number, session = 0, address = OFFICE) => ({
  address,
  user: { id: `user ${user}`, tokenHash: `session ${user}-${session}` },
})
const visitor = { address: OFFICE, user: undefined }

test('fifty signed-in users behind one address each open a stream', () => {
  const limiter = new ConnectionLimiter(LIMITS)
  for (let count = 0; count < 2; count++) limiter.acquire(visitor)
  expect(() => limiter.acquire(visitor)).toThrow('too_many_requests')
  for (let user = 0; user < 50; user++) limiter.acquire(callerOf(user))
})

test('one user does not use up the streams of others', () => {
  const limiter = new ConnectionLimiter(LIMITS)
  for (let count = 0; count < 2; count++) limiter.acquire(callerOf(1, 0))
  expect(() => limiter.acquire(callerOf(1, 0))).toThrow('too_many_requests')
  limiter.acquire(callerOf(1, 1))
  // Another device and another address do not help.
  expect(() => limiter.acquire(callerOf(1, 2, '198.51.100.1'))).toThrow('too_many_requests')
  limiter.acquire(callerOf(2))
  limiter.acquire(visitor)
})

test('many accounts behind one address do not fill the server', () => {
  const limiter = new ConnectionLimiter(LIMITS)
  for (let user = 0; user < 60; user++) limiter.acquire(callerOf(user))
  expect(() => limiter.acquire(callerOf(60))).toThrow('too_many_requests')
  limiter.acquire(callerOf(60, 0, '198.51.100.1'))
})

test('a second release of the same stream changes nothing', () => {
  const limiter = new ConnectionLimiter({ ...LIMITS, inAll: 2 })
  const release = limiter.acquire(visitor)
  limiter.acquire(visitor)
  release()
  release()
  limiter.acquire(visitor)
  expect(() => limiter.acquire(visitor)).toThrow('not_ready')
})
