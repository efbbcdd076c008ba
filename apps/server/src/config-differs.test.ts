import { expect, test } from 'vitest'
import { localConfigFile } from './platform/chain/testing/local-chain.ts'
import { VERSION } from './platform/process/version.ts'
import { startTestServer, type TestServer } from './testing/server.ts'
import { canShareLedger, openSharedLedger } from './testing/two-servers.ts'

const KEY = `0x${'7'.repeat(64)}`

test.runIf(canShareLedger)(
  'a server whose configuration differs from the leader raises an alarm',
  async () => {
    const ledger = await openSharedLedger()
    const file = await localConfigFile((config) => {
      config.swap.feeBps += 5
      config.limits.BNB.minIn = '0.2'
      config.swap.quoteTtlMs += 1_000
    })
    const servers: TestServer[] = []
    const start = async (name: string, variables: NodeJS.ProcessEnv = {}) => {
      const server = await startTestServer({ ...ledger.variablesFor(name), ...variables })
      servers.push(server)
      return server
    }
    const alarmsOf = ({ errors }: TestServer) =>
      errors.filter(({ task }) => task === 'configuration').map(({ error }) => (error as Error).message)
    try {
      const leader = await start('leader')
      const alike = await start('alike')
      const other = await start('other', { CONFIG_FILE: file.path, SERVER_KEY: KEY })
      expect([leader, alike].map(alarmsOf)).toEqual([[], []])
      expect(alarmsOf(other)).toEqual([
        `this server and the leader at ${leader.url} have different values of SERVER_KEY, swap.quoteTtlMs`,
      ])
      // The file's fees and limits count for a new ledger alone, so the alarm does not name them.
      const feesOf = async (server: TestServer) => [
        (await server.ok('config', {})).fees.swap_total,
        (await server.ok('pairs', {})).map(({ fee }) => fee),
      ]
      expect(await feesOf(other)).toEqual(await feesOf(leader))
      expect((await feesOf(other))[0]).toBe('0.0025')
      const versions = await leader.db.query(
        "select distinct version, calls ? '/SwapPool/doSwap' as swaps from servers",
      )
      expect(versions).toEqual([{ version: VERSION, swaps: true }])
      expect(JSON.stringify(await leader.db.query('select config from servers'))).not.toContain(KEY.slice(2, 20))
    } finally {
      for (const server of servers.reverse()) await server.destroy()
      await file.remove()
      await ledger.end()
    }
  },
  60_000,
)
