import { expect, test } from 'vitest'
import { ConnectionLimiter } from './connection-limiter.ts'

test('a second release of the same stream changes nothing', () => {
  const limiter = new ConnectionLimiter({ inAll: 2, perAddress: 2, perSession: 2 })
  const caller = { address: '::1', session: 'session' }
  const release = limiter.acquire(caller)
  limiter.acquire(caller)
  release()
  release()
  limiter.acquire(caller)
  expect(() => limiter.acquire(caller)).toThrow('not_ready')
})
