import { expect, test } from 'vitest'
import { ConnectionLimiter } from './connection-limiter.ts'

const LIMITS = { inAll: 200, perAddress: 2, sessionsPerAddress: 60, perAccount: 3, perSession: 2 }
const OFFICE = '203.0.113.7'

const callerOf = (user: number, session = 0, address = OFFICE) => ({
  address,
  user: { id: `user ${user}`, tokenHash: `session ${user}-${session}` },
})
const ignore = () => {}
const visitor = { address: OFFICE, user: undefined }

test('fifty signed-in users behind one address each open a stream', () => {
  const limiter = new ConnectionLimiter(LIMITS)
  for (let count = 0; count < 2; count++) limiter.acquire(visitor, ignore)
  expect(() => limiter.acquire(visitor, ignore)).toThrow('too_many_requests')
  for (let user = 0; user < 50; user++) limiter.acquire(callerOf(user), ignore)
})

test('one user does not use up the streams of others', () => {
  const limiter = new ConnectionLimiter(LIMITS)
  for (let count = 0; count < 2; count++) limiter.acquire(callerOf(1, 0), ignore)
  expect(() => limiter.acquire(callerOf(1, 0), ignore)).toThrow('too_many_requests')
  limiter.acquire(callerOf(1, 1), ignore)
  // Another device and another address do not help.
  expect(() => limiter.acquire(callerOf(1, 2, '198.51.100.1'), ignore)).toThrow('too_many_requests')
  limiter.acquire(callerOf(2), ignore)
  limiter.acquire(visitor, ignore)
})

test('many accounts behind one address do not fill the server', () => {
  const limiter = new ConnectionLimiter(LIMITS)
  for (let user = 0; user < 60; user++) limiter.acquire(callerOf(user), ignore)
  expect(() => limiter.acquire(callerOf(60), ignore)).toThrow('too_many_requests')
  limiter.acquire(callerOf(60, 0, '198.51.100.1'), ignore)
})

test('a second release of the same stream changes nothing', () => {
  const limiter = new ConnectionLimiter({ ...LIMITS, perAddress: 3, inAll: 2 })
  const release = limiter.acquire(visitor, ignore)
  limiter.acquire(visitor, ignore)
  release()
  release()
  limiter.acquire(visitor, ignore)
  expect(() => limiter.acquire(visitor, ignore)).toThrow('not_ready')
})

/**
 * @attack S21 Ten addresses with 1,000 streams each took all 10,000 and shut everyone else out.
 * @holds On a full server a newcomer takes the newest stream of the address that has the most.
 */
test('ten addresses with many accounts do not shut others out', () => {
  const limiter = new ConnectionLimiter({ ...LIMITS, inAll: 600 })
  const ended: string[] = []
  for (let address = 0; address < 10; address++)
    for (let user = 0; user < 60; user++)
      limiter.acquire(callerOf(100 * address + user, 0, `198.51.100.${address}`), () =>
        ended.push(`${address}-${user}`),
      )
  limiter.acquire(visitor, ignore)
  for (let user = 0; user < 30; user++) limiter.acquire(callerOf(2_000 + user, 0, `203.0.113.${user + 10}`), ignore)
  expect(ended).toHaveLength(31)
  // The newest of an address ends first, and each address loses about as many.
  expect(ended[0]).toBe('0-59')
  for (let address = 0; address < 10; address++)
    expect(ended.filter((each) => each.startsWith(`${address}-`)).length).toBeLessThanOrEqual(4)
  // An address that has the most does not push others out.
  expect(() => limiter.acquire(callerOf(3_000, 0, '198.51.100.9'), ignore)).toThrow('not_ready')
})

test('a full server of single streams rejects newcomers', () => {
  const limiter = new ConnectionLimiter({ ...LIMITS, inAll: 2 })
  limiter.acquire(callerOf(1, 0, '203.0.113.1'), ignore)
  limiter.acquire(callerOf(2, 0, '203.0.113.2'), ignore)
  expect(() => limiter.acquire(callerOf(3, 0, '203.0.113.3'), ignore)).toThrow('not_ready')
})
