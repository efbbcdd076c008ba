import { beforeEach, expect, test } from 'vitest'
import { newKey, type TestUser } from '../../../testing/server.ts'
import { startPushService } from './push-service.ts'
import { type PushWorld, pushSteps } from './push-steps.ts'
import { PUBLIC_KEY, VAPID } from './vapid.ts'

/** Tests the messages to devices. */
export function testPush(world: PushWorld): void {
  let user: TestUser
  beforeEach(async () => {
    await world.server.db.query('delete from push_subscriptions')
    world.service.received.length = 0
    world.service.respondWith(201)
    user = await world.server.newUser({ faucet: false })
  })

  const { spot, advance, set, subscribe, waiting, devices, sentTo } = pushSteps(world, () => user.token)

  test('encrypts and signs a delivered alert for each device of its owner', async () => {
    expect(await world.server.ok('pushKey', {})).toEqual({ public_key: PUBLIC_KEY })
    const phone = await subscribe()
    const desktop = await subscribe(world.service.newDevice(), user.token, 'zh-HK')
    const stranger = await world.server.newUser({ faucet: false })
    await subscribe(world.service.newDevice(), stranger.token)
    const { alert_id } = await set('700')
    await spot('710')
    expect(world.service.received).toHaveLength(2)
    expect(await waiting()).toEqual([])
    const alert = { symbol: 'BNBUSDT', direction: 'above', price: '700' }
    expect(sentTo(phone)).toEqual([{ ...alert, language: 'en' }])
    expect(sentTo(desktop)).toEqual([{ ...alert, language: 'zh-HK' }])
    const [first] = world.service.received
    expect(first?.subject).toBe(VAPID.VAPID_SUBJECT)
    expect(first?.headers).toMatchObject({ topic: alert_id, urgency: 'high', 'content-encoding': 'aes128gcm' })
    expect(Number(first?.headers.ttl)).toBeGreaterThan(3_500)
    expect(first?.headers).not.toHaveProperty('cookie')
  })

  test('warnings about a loan reach the devices of its owner', async () => {
    await subscribe()
    const funded = await world.server.newUser()
    const desktop = await subscribe(world.service.newDevice(), funded.token, 'zh-HK')
    for (const [asset, amount] of [
      ['USDT', '2500'],
      ['BNB', '1'],
    ] as const)
      await funded.transferIn(asset, amount)
    await funded.activateByBalance()
    const options = () => ({ token: funded.token, key: newKey() })
    await world.server.ok('pledge', { asset: 'USDT', amount: '2400' }, options())
    await spot('600')
    const terms = { collateral_asset: 'BNB', borrow_asset: 'USDT', term_days: 7 } as const
    await world.server.ok('lend', { ...terms, collateral_amount: '1', borrow_amount: '380' }, options())
    await spot('490')
    await spot('470')
    await advance(4 * 86_400 + 1)
    await spot('450')
    await spot('450')
    const language = 'zh-HK'
    expect(sentTo(desktop)).toEqual([
      { kind: 'loan_warning', percent: 75, language },
      { kind: 'loan_warning', percent: 80, language },
      { kind: 'loan_reminder', hours: 72, language },
      { kind: 'loan_to_be_cleared', language },
    ])
    expect(world.service.received).toHaveLength(4)
    expect(await waiting()).toEqual([])
  })

  test('team and hub notices reach the devices of their owners', async () => {
    const parent = await world.server.newUser()
    const phone = await subscribe(world.service.newDevice(), parent.token, 'zh-HK')
    const child = await world.server.newUser({
      pid: (await world.server.ok('userinfo', {}, { token: parent.token })).invite_code,
    })
    const tablet = await subscribe(world.service.newDevice(), child.token)
    await child.transferIn('USDT', '500')
    await child.activateByBalance()
    const options = () => ({ token: child.token, key: newKey() })
    await world.server.ok(
      'doSwap',
      {
        ...{ pool_id: 'rt-usdt', amount: '100', inverse: 1, exact: 'out', max_amount_in: '400' },
        deadline: '2099-01-01T00:00:00Z',
      },
      options(),
    )
    await world.server.ok('linkUid', { uid: '7654321', name: 'Child' }, options())
    await world.server.ok('depositRt', { amount: '100' }, options())
    await world.server.ok('requestUpgrade', {}, options())
    await advance(1)
    // Two jobs send them, in any order.
    await expect
      .poll(() =>
        sentTo(phone)
          .map(({ kind }) => kind)
          .toSorted(),
      )
      .toEqual(['lead_activated', 'upgrade_requested'])
    expect(sentTo(phone)).toContainEqual({ kind: 'lead_activated', language: 'zh-HK' })
    expect(sentTo(phone)).toContainEqual({ kind: 'upgrade_requested', star: 1, language: 'zh-HK' })
    await advance(72 * 3_600)
    await advance(1)
    await expect.poll(() => sentTo(tablet)).toEqual([{ kind: 'upgrade_passed', star: 1, language: 'en' }])
  })

  test('retries a failing service with growing pauses, then drops the message', async () => {
    world.service.respondWith(503)
    await subscribe()
    await set('700')
    await spot('710')
    expect(world.service.received).toHaveLength(1)
    let sent = 1
    for (const pauseS of [10, 60, 300, 900]) {
      expect(await waiting()).toEqual([sent])
      // The first pause passes while a busy machine looks.
      if (pauseS > 10) {
        await advance(pauseS - 50)
        expect(world.service.received).toHaveLength(sent)
      }
      await advance(51)
      sent++
      expect(world.service.received).toHaveLength(sent)
      const isAway = sent >= 3
      const ready = isAway ? { status: 'degraded', parts: ['push'] } : { status: 'ready' }
      await expect.poll(async () => (await world.server.app.inject({ url: '/readyz' })).json()).toEqual(ready)
    }
    expect(await waiting()).toEqual([])
    await advance(100_000)
    expect(world.service.received).toHaveLength(5)
    expect((await world.server.ok('alertNotices', {}, { token: user.token })).unread).toBe(1)
  })

  test('honours Retry-After, and sends once when the service recovers', async () => {
    world.service.respondWith(429, { 'retry-after': '1800' })
    await subscribe()
    await set('700')
    await spot('710')
    expect(world.service.received).toHaveLength(1)
    expect(await waiting()).toEqual([1])
    await advance(1_000)
    expect(world.service.received).toHaveLength(1)
    world.service.respondWith(201)
    await advance(801)
    expect(world.service.received).toHaveLength(2)
    expect(await waiting()).toEqual([])
    await advance(10_000)
    expect(world.service.received).toHaveLength(2)
  })

  test('drops a message that is older than an hour', async () => {
    world.service.respondWith(503)
    await subscribe()
    await set('700')
    await spot('710')
    expect(world.service.received).toHaveLength(1)
    expect(await waiting()).toEqual([1])
    await advance(3_601)
    expect(await waiting()).toEqual([])
    expect(world.service.received).toHaveLength(1)
  })

  test.each([404, 410])('deletes a device that its service no longer knows (%i)', async (status) => {
    world.service.respondWith(status)
    await subscribe()
    await set('700')
    await spot('710')
    expect(world.service.received).toHaveLength(1)
    expect(await waiting()).toEqual([])
    expect(await devices()).toBe(0)
  })

  test('reports a rejecting service once, without the address of the device', async () => {
    world.service.respondWith(403)
    const { endpoint } = await subscribe()
    await set('700')
    await set('701')
    await spot('710')
    expect(world.service.received).toHaveLength(2)
    expect(await waiting()).toEqual([])
    expect(await devices()).toBe(1)
    expect(world.server.errors.splice(0).map(({ error, task }) => `${task}: ${(error as Error).message}`)).toEqual([
      `alerts: the push service ${new URL(endpoint).host} rejects messages: status 403`,
    ])
  })

  test('follows no redirect of a service', async () => {
    const elsewhere = await startPushService(PUBLIC_KEY, Date.now)
    world.service.respondWith(307, { location: `${elsewhere.origin}/inside` })
    await subscribe()
    await set('700')
    await spot('710')
    expect(world.service.received).toHaveLength(1)
    expect(await waiting()).toEqual([])
    expect(elsewhere.received).toEqual([])
    await elsewhere.stop()
    expect(world.server.errors.splice(0).map(({ error }) => (error as Error).message)).toEqual([
      expect.stringContaining('status 307'),
    ])
  })
}
