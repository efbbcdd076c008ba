import { newKey, type TestServer } from '../../../testing/server.ts'
import type { PushService } from './push-service.ts'

/** The server of the feature, and the push service that it may use. */
export interface PushWorld {
  readonly server: TestServer
  readonly service: PushService
}

/** Steps of a user with devices. `tokenOf` returns the session of the user of the test. */
export function pushSteps(world: PushWorld, tokenOf: () => string) {
  /** Sets the spot price of BNB. Alerts that it reaches are delivered and sent before this returns. */
  const spot = (price: string) => world.server.ok('localPrice', { symbol: 'BNBUSDT', price })
  const advance = (seconds: number) => world.server.ok('localAdvance', { seconds })
  const set = (price: string, token = tokenOf()) =>
    world.server.ok('setAlert', { symbol: 'BNBUSDT', direction: 'above', price }, { token, key: newKey() })
  const subscribe = (device = world.service.newDevice(), token = tokenOf(), locale: 'en' | 'zh-HK' = 'en') =>
    world.server.ok('subscribePush', device, { token, locale }).then(() => device)
  /** The attempts of each message that is still queued. */
  const waiting = async () =>
    (await world.server.db.query<{ attempts: number }>('select attempts from alert_pushes')).map((row) => row.attempts)
  const devices = async () => (await world.server.db.query('select id from push_subscriptions')).length

  /** The messages that a device received. */
  const sentTo = (device: { endpoint: string }) =>
    world.service.received
      .filter(({ path }) => device.endpoint.endsWith(path))
      .map(({ text }) => JSON.parse(text ?? ''))

  return { spot, advance, set, subscribe, waiting, devices, sentTo }
}
