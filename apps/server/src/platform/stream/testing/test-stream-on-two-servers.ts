import { expect, test } from 'vitest'
import type { TwoServers } from '../../../testing/two-servers.ts'
import { openStream } from './stream.ts'

/** Tests the stream on two servers of one ledger, with a separate user. */
export function testStreamOnTwoServers(servers: TwoServers): void {
  test("a follower's stream delivers the writer's events and resumes after reconnection", async () => {
    const { writing, other } = servers
    const user = await writing.newUser()
    await user.transferIn('USDT', '1000')
    await user.activateByBalance()
    const swap = async () =>
      writing.ok(
        'doSwap',
        { pool_id: 'bnb-usdt', amount: '10', inverse: 1, min_amount_out: '0', deadline: '2036-11-21T09:00:00Z' },
        { token: user.token },
      )
    const mine = { 'xx-token': user.token }
    const far = await openStream(other.url, 'channels=account,pairs', mine)
    const near = await openStream(writing.url, 'channels=account,pairs', mine)
    for (const stream of [far, near]) {
      await stream.next('ready')
      await stream.next('pairs')
    }
    await swap()
    for (const stream of [far, near]) {
      await stream.next('entry')
      await stream.next('pairs')
    }
    expect(far.of('entry')).toEqual(near.of('entry'))
    expect(far.of('pairs').at(-1)).toEqual(near.of('pairs').at(-1))

    // The next server may have read the ledger up to a later or an earlier entry than the previous one.
    const id = far.of('entry').at(-1)?.id ?? ''
    far.close()
    await swap()
    const moved = await openStream(writing.url, 'channels=account', { ...mine, 'last-event-id': id })
    await moved.next('entry')
    const last = moved.of('entry').at(-1)?.id ?? ''
    const back = await openStream(other.url, 'channels=account', { ...mine, 'last-event-id': last })
    await back.next('ready')
    await swap()
    await back.next('entry')
    expect(back.of('reset')).toEqual([])
    expect(back.of('entry')).toHaveLength(1)

    await writing.ok('logout', {}, { token: user.token })
    for (const stream of [near, moved, back]) {
      await stream.next('signed_out')
      await stream.ended
    }
  }, 60_000)
}
