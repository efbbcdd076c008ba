import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from '../../testing/server.ts'
import { canShareLedger, startTwoServers, type TwoServers } from '../../testing/two-servers.ts'

let servers: TwoServers
beforeAll(async () => {
  if (canShareLedger) servers = await startTwoServers()
}, 60_000)
afterAll(() => servers?.end())

test.runIf(canShareLedger)(
  'two servers make one box a day, also over midnight',
  async () => {
    const { writing, other } = servers
    const user = await writing.newUser()
    await user.transferIn('USDT', '20')
    await user.activateByBalance()
    const { token } = user
    const click = (server: TestServer, key: string) => server.call('clickBox', {}, { token, key })
    /** Three tabs on two servers at the same moment; the first repeats its click on the other server. */
    const race = async (day: string) => {
      const replies = await Promise.all([
        click(writing, `tab-one-${day}`),
        click(other, `tab-one-${day}`),
        click(other, `tab-two-${day}`),
        click(writing, `tab-three-${day}`),
      ])
      expect(replies[1]).toEqual(replies[0])
      const made = replies.filter(({ code }) => code === 1)
      expect(new Set(made.map(({ data }) => data.box.box_id)).size).toBe(1)
      for (const { code } of replies) expect([1, 20008]).toContain(code)
      return made[0]?.data.box.box_id
    }
    const boxes = [await race('first-day')]
    const [{ ends_at }, { time }] = [await writing.ok('boxRules', {}), await writing.ok('config', {})]
    // The clock of the other server stays behind on the first day: the writer's day counts.
    await writing.ok('localAdvance', { seconds: Math.ceil((Date.parse(ends_at) - Date.parse(time)) / 1_000) })
    boxes.push(await race('second-day'))
    const rows = await other.db.query<{ id: string; streak: number }>('select id, streak from boxes order by day')
    expect(rows).toEqual(boxes.map((id, streak) => ({ id, streak })))
    await expectBooksBalanced(other.db)
  },
  60_000,
)
