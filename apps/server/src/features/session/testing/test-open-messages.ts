import { expect, test } from 'vitest'
import type { TestServer } from '../../../testing/server.ts'
import { sessionSteps } from './session-steps.ts'

/** Tests how many messages to sign are open, on the server of the feature. */
export function testOpenMessages(server: () => TestServer): void {
  const { newWallet, nonceFor, logIn } = sessionSteps(server)

  test('several messages of one address are open, each for one login', async () => {
    const wallet = newWallet()
    const messages = [await nonceFor(wallet.address), await nonceFor(wallet.address), await nonceFor(wallet.address)]
    expect(new Set(messages).size).toBe(3)
    for (const message of messages) {
      expect((await logIn(wallet.address, await wallet.signMessage({ message }))).code).toBe(1)
    }
  })

  test('an address never has more than five open messages', async () => {
    const { address } = newWallet()
    const seen = new Set<string>()
    for (let minute = 0; minute < 8; minute++) {
      for (let ask = 0; ask < 7; ask++) seen.add(await nonceFor(address))
      const [open] = await server().db.query<{ count: bigint }>(
        'select count(*) as count from login_nonces where user_id = $1 and expires_at > $2',
        [address.toLowerCase(), new Date((await server().ok('config', {})).time)],
      )
      expect(Number(open?.count)).toBeLessThanOrEqual(5)
      await server().ok('localAdvance', { seconds: 60 })
    }
    // New ones are still given out as old ones end.
    expect(seen.size).toBeGreaterThan(5)
  })

  test('five messages stay open after 200 concurrent requests', async () => {
    const wallet = newWallet()
    const asked = await Promise.all(Array.from({ length: 200 }, () => nonceFor(wallet.address)))
    const rows = await server().db.query('select nonce from login_nonces where user_id = $1', [
      wallet.address.toLowerCase(),
    ])
    expect(rows.length).toBeLessThanOrEqual(5)
    const messages = new Set(asked)
    expect(messages.size).toBeLessThanOrEqual(5)
    for (const message of messages) {
      const signature = await wallet.signMessage({ message })
      expect((await logIn(wallet.address, signature)).code).toBe(1)
      expect((await logIn(wallet.address, signature)).code).toBe(20012)
    }
  })

  test('messages of addresses that never sign in are deleted soon', async () => {
    const ask = async (times: number) => {
      for (let each = 0; each < times; each++) await nonceFor(newWallet().address)
    }
    await ask(30)
    await server().ok('localAdvance', { seconds: 301 })
    await ask(10)
    const now = new Date((await server().ok('config', {})).time)
    expect(await server().db.query('select nonce from login_nonces where expires_at <= $1', [now])).toEqual([])
  })

  test('a stranger who requests many messages does not cancel a sign-in', async () => {
    const victim = newWallet()
    const message = await nonceFor(victim.address)
    for (let ask = 0; ask < 12; ask++) await nonceFor(victim.address)
    await server().ok('localAdvance', { seconds: 140 })
    for (let ask = 0; ask < 12; ask++) await nonceFor(victim.address)
    expect((await logIn(victim.address, await victim.signMessage({ message }))).code).toBe(1)
  })

  // The message handed out again is an old one: it must not be closed a moment later to make room.
  test.each([0, 60, 100, 145, 149, 151, 200, 290])(
    'a message issued %d s after a flood lasts two minutes',
    async (seconds) => {
      const victim = newWallet()
      for (let ask = 0; ask < 12; ask++) await nonceFor(victim.address)
      if (seconds > 0) await server().ok('localAdvance', { seconds })
      const message = await nonceFor(victim.address)
      for (const step of [3, 57, 59]) {
        await server().ok('localAdvance', { seconds: step })
        for (let ask = 0; ask < 12; ask++) await nonceFor(victim.address)
      }
      expect((await logIn(victim.address, await victim.signMessage({ message }))).code).toBe(1)
    },
  )
}
