import { beforeEach, expect, test } from 'vitest'
import type { TestUser } from '../../../testing/server.ts'
import { type PushWorld, pushSteps } from './push-steps.ts'

/** Tests which devices receive messages. */
export function testPushDevices(world: PushWorld): void {
  let user: TestUser
  beforeEach(async () => {
    await world.server.db.query('delete from push_subscriptions')
    world.service.received.length = 0
    world.service.respondWith(201)
    user = await world.server.newUser({ faucet: false })
  })

  const { spot, advance, set, subscribe, waiting, devices } = pushSteps(world, () => user.token)

  test('a device receives nothing between signing out and subscribing again', async () => {
    const device = await subscribe()
    await set('700')
    await world.server.ok('logout', {}, { token: user.token })
    await spot('710')
    expect(await waiting()).toEqual([])
    expect(await devices()).toBe(0)
    expect(world.service.received).toEqual([])
    const again = await world.server.newUser({ faucet: false })
    await spot('600')
    await subscribe(device, again.token)
    await set('700', again.token)
    await spot('710')
    expect(world.service.received).toHaveLength(1)
  })

  test('a device belongs to the user who subscribed last', async () => {
    world.service.respondWith(503)
    const device = await subscribe()
    await set('700')
    await spot('710')
    expect(world.service.received).toHaveLength(1)
    expect(await waiting()).toEqual([1])
    const next = await world.server.newUser({ faucet: false })
    await subscribe(device, next.token)
    expect(await waiting()).toEqual([])
    expect(await devices()).toBe(1)
    await world.server.ok('unsubscribePush', { endpoint: device.endpoint }, { token: user.token })
    expect(await devices()).toBe(1)
    await world.server.ok('unsubscribePush', { endpoint: device.endpoint }, { token: next.token })
    expect(await devices()).toBe(0)
  })

  test('a device counts once, and only the newest five stay', async () => {
    const first = await subscribe()
    await subscribe(first)
    expect(await devices()).toBe(1)
    for (let index = 0; index < 5; index++) {
      await advance(1)
      await subscribe()
    }
    expect(await devices()).toBe(5)
    await set('700')
    await spot('710')
    expect(world.service.received).toHaveLength(5)
    expect(await waiting()).toEqual([])
    expect(world.service.received.filter((each) => first.endpoint.endsWith(each.path))).toEqual([])
  })

  test('a device is rejected if its address is of no known service', async () => {
    const device = world.service.newDevice()
    for (const endpoint of [
      'https://fcm.googleapis.com/fcm/send/abc',
      'http://127.0.0.1:1/send/x',
      'http://169.254.169.254/latest/meta-data',
      world.service.origin.replace('http', 'https'),
      world.service.origin.replace('//', '//user@'),
      `http://evil.example/${world.service.origin}`,
    ])
      expect(await world.server.call('subscribePush', { ...device, endpoint }, { token: user.token })).toMatchObject({
        status: 400,
        code: 20000,
        data: { fields: { endpoint: 'not of a known push service' } },
      })
    for (const endpoint of [
      '',
      'file:///etc/passwd',
      `${world.service.origin}/${'x'.repeat(2_001)}`,
      `${world.service.origin}/ä`,
    ])
      expect(await world.server.call('subscribePush', { ...device, endpoint }, { token: user.token })).toMatchObject({
        code: 20000,
      })
    expect(await devices()).toBe(0)
  })

  test('a device is rejected if nothing can be encrypted for its keys', async () => {
    const device = world.service.newDevice()
    const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString('base64url')
    for (const wrong of [
      { p256dh: offCurve },
      { p256dh: device.p256dh.slice(1) },
      { p256dh: `${device.p256dh.slice(0, -1)}!` },
      { p256dh: '' },
      { auth: device.auth.slice(1) },
      { auth: `${device.auth}AA` },
    ])
      expect(await world.server.call('subscribePush', { ...device, ...wrong }, { token: user.token })).toMatchObject({
        status: 400,
        code: 20000,
      })
    expect(await devices()).toBe(0)
  })
}
