import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newKey, type TestServer, type TestUser } from '../../testing/server.ts'
import { canShareLedger, startTwoServers, type TwoServers } from '../../testing/two-servers.ts'
import { findHubFaults } from './check-hub.ts'

let servers: TwoServers
beforeAll(async () => {
  if (canShareLedger) servers = await startTwoServers()
}, 60_000)
afterAll(() => servers?.end())

/** An activated account with RT of the pool. */
async function newMember(server: TestServer, pid?: string): Promise<TestUser> {
  const user = await server.newUser(pid === undefined ? {} : { pid })
  const { token } = user
  await user.transferIn('USDT', '1000')
  await user.activateByBalance()
  const swap = { pool_id: 'rt-usdt', amount: '200', inverse: 1, exact: 'out', max_amount_in: '900' } as const
  await server.ok('doSwap', { ...swap, deadline: '2099-01-01T00:00:00Z' }, { token, key: newKey() })
  return user
}

const codes = (replies: readonly { code: number }[]) => replies.map(({ code }) => code).toSorted((a, b) => a - b)

test.runIf(canShareLedger)(
  'two servers race for one UID, one request and one step down',
  async () => {
    const { writing, other } = servers
    const parent = await newMember(writing)
    const { invite_code } = await writing.ok('userinfo', {}, { token: parent.token })
    const [child, rival] = [await newMember(writing, invite_code), await newMember(writing, invite_code)]
    const link = (server: TestServer, { token }: TestUser) =>
      server.call('linkUid', { uid: '777777', name: 'Name' }, { token, key: newKey() })
    const links = await Promise.all([link(writing, child), link(other, rival)])
    expect(codes(links)).toEqual([1, 20010])
    const { token } = links[0]?.code === 1 ? child : rival

    // One deposit of all RT, asked for twice: once, and with one key the same response from both.
    const deposit = (server: TestServer, key = newKey()) => server.call('depositRt', { amount: '150' }, { token, key })
    expect(codes(await Promise.all([deposit(writing), deposit(other)]))).toEqual([1, 20002])
    const key = newKey()
    const ask = (server: TestServer, each = newKey()) => server.call('requestUpgrade', {}, { token, key: each })
    const asked = await Promise.all([ask(writing, key), ask(other, key), ask(other), ask(writing)])
    expect(codes(asked)).toEqual([1, 1, 20010, 20010])
    const { request_id } = asked[0]!.data
    expect(asked[1]!.data).toEqual(asked[0]!.data)

    const approve = (server: TestServer) =>
      server.call('approveUpgrade', { request_id }, { token: parent.token, key: newKey() })
    const leave = (server: TestServer) => server.call('stepDown', {}, { token, key: newKey() })
    const race = await Promise.all([approve(writing), approve(other), leave(other), leave(writing), ask(other)])
    expect(codes(race.slice(0, 2)).at(-1)).toBe(20010)
    expect(codes(race.slice(2, 4))).toEqual([1, 20010])
    expect(race[4]?.code).toBe(20010)
    const { star, step_down, request } = await other.ok('richOverview', {}, { token })
    // Either the approval was first, or the request was withdrawn.
    const isPassed = race.slice(0, 2).some(({ code }) => code === 1)
    expect([star, request?.status]).toEqual(isPassed ? [1, 'Passed'] : [0, undefined])
    expect(step_down?.amount).toBe('150')
    await expectBooksBalanced(other.db)
    expect(await findHubFaults(other.db)).toEqual([])
  },
  60_000,
)
