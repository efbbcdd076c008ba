import { expect, test } from 'vitest'
import type { TestServer } from '../../../testing/server.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const HONG_KONG_OFFSET_MS = 8 * HOUR_MS

/** Moves the clock to the next time that it is so late in Hong Kong, and returns that instant. */
export async function untilHongKong(server: TestServer, hours: number): Promise<number> {
  const nowMs = Date.parse((await server.ok('config', {})).time)
  const sinceMidnightMs = (nowMs + HONG_KONG_OFFSET_MS) % DAY_MS
  const waitMs = (hours * HOUR_MS - sinceMidnightMs + DAY_MS) % DAY_MS
  await server.ok('localAdvance', { seconds: Math.ceil(waitMs / 1000) + 1 })
  return nowMs + waitMs
}

/** Tests the opening hours on the server of its feature, which opens from 09:30 to 17:00. */
export function testOpeningHours(server: () => TestServer): void {
  test('activation outside opening hours is refused and names the next opening', { tags: ['§9.45'] }, async () => {
    const user = await server().newUser()
    await user.transferIn('USDT', '20')
    const nightMs = await untilHongKong(server(), 3)
    const opensAt = new Date(nightMs + 6.5 * HOUR_MS).toISOString()
    for (const name of ['activeByBalance', 'active'] as const) {
      const reply = await server().call(name, {}, { token: user.token })
      expect(reply).toMatchObject({ status: 200, code: 20008, msg: 'Not open now', data: { opens_at: opensAt } })
    }
    const status = await server().ok('getActiveStatus', {}, { token: user.token })
    expect(status).toEqual({ status: 0, price: '10', asset: 'USDT', opens_at: opensAt })
    expect(await user.available('USDT')).toBe('20')
  })

  test('an account refused at night activates after the opening', async () => {
    const user = await server().newUser()
    await user.transferIn('USDT', '20')
    await untilHongKong(server(), 18)
    expect((await server().call('activeByBalance', {}, { token: user.token })).code).toBe(20008)
    await untilHongKong(server(), 9.5)
    expect(await server().ok('getActiveStatus', {}, { token: user.token })).not.toHaveProperty('opens_at')
    expect(await server().ok('activeByBalance', {}, { token: user.token })).toEqual({ status: 2 })
    await untilHongKong(server(), 18)
    // Repeating what is done takes nothing, so it is no matter of opening times.
    expect(await server().ok('activeByBalance', {}, { token: user.token })).toEqual({ status: 2 })
    expect(await server().ok('getActiveStatus', {}, { token: user.token })).toEqual({
      status: 2,
      price: '10',
      asset: 'USDT',
    })
    expect(await user.available('USDT')).toBe('10')
  })

  test('an order made before closing can still be paid after closing', async () => {
    const user = await server().newUser()
    await untilHongKong(server(), 16)
    const call = await server().ok('active', {}, { token: user.token })
    await untilHongKong(server(), 17)
    expect(await server().ok('active', {}, { token: user.token })).toEqual(call)
    await user.pay('USDT', call)
    await server().watcher.poll()
    expect((await server().ok('getActiveStatus', {}, { token: user.token })).status).toBe(2)
  })

  test('a transaction hash activates before the watcher, which credits nothing more', async () => {
    const user = await server().newUser()
    await untilHongKong(server(), 10)
    const call = await server().ok('active', {}, { token: user.token })
    const hash = await user.pay('USDT', call)
    expect((await server().ok('getActiveStatus', {}, { token: user.token })).status).toBe(1)
    const upperCase = `0x${hash.slice(2).toUpperCase()}`
    const response = await server().ok('active', { tx_hash: upperCase }, { token: user.token })
    expect(response).toMatchObject({ order_id: call.order_id, status: 'credited', tx_hash: hash })
    expect((await server().ok('getActiveStatus', {}, { token: user.token })).status).toBe(2)
    await server().watcher.poll()
    expect(await user.available('USDT')).toBe('0')
  })
}
