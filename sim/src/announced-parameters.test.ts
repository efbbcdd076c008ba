import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { stakeConfig } from '@clearwell/server/src/domain/lending/stake-config.ts'
import { runInEnvironment } from '@clearwell/server/src/operator/testing/run-in-environment.ts'
import { localConfigFile } from '@clearwell/server/src/platform/chain/testing/local-chain.ts'
import { newMember } from '@clearwell/server/src/testing/new-member.ts'
import { newKey, startTestServer, type TestServer } from '@clearwell/server/src/testing/server.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const DAY_S = 86_400
const LTV = { initialBps: 5_000, warningBps: 5_500, lastWarningBps: 5_800, liquidationBps: 6_200 }

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
}, 60_000)
afterAll(() => server?.destroy())

/** Announces stricter limits as an operator does: beside the server on PostgreSQL, after stopping it on PGlite. */
async function announceStricterLimits(): Promise<string> {
  const isBeside = process.env.TEST_DATABASE === 'postgres'
  const file = await localConfigFile((config) =>
    Object.assign(config, { stake: { ...stakeConfig.shape.stake.parse(undefined), ltv: LTV } }),
  )
  const { dataDir, databaseUrl } = server.config.env
  const variables = { PROFILE: 'local', DATA_DIR: dataDir, CHAIN_PORT: '0', DATABASE_URL: databaseUrl ?? '' }
  if (!isBeside) await server.stop()
  const words = ['lending', 'announce', '--reason', 'calmer limits', '--execute']
  const { stdout, stderr } = await runInEnvironment({ ...variables, CONFIG_FILE: file.path }, words)
  await file.remove()
  if (!isBeside) server = await server.restart()
  return stdout + stderr
}

test('an announced limit counts 30 days later, never for open orders', async () => {
  const { token } = await newMember(server, { USDT: '2500', BNB: '1' })
  const setPrice = () => server.ok('localPrice', { symbol: 'BNBUSDT', price: '600' })
  const read = async () => {
    const { now, announced } = await server.ok('stakeParameters', {})
    const [order] = (await server.ok('stakeOrders', {}, { token })).items
    return { now, next: announced[0], order: order! }
  }
  await server.ok('pledge', { asset: 'USDT', amount: '2000' }, { token, key: newKey() })
  await setPrice()
  const loan = { collateral_asset: 'BNB', borrow_asset: 'USDT', collateral_amount: '1', borrow_amount: '380' } as const
  await server.ok('lend', { ...loan, term_days: 90 }, { token, key: newKey() })

  expect(await announceStricterLimits()).toMatch(/^The parameters take effect at /)
  // A server that runs meanwhile reads announcements every five seconds.
  await server.ok('localAdvance', { seconds: 6 })
  await setPrice()
  const before = await read()
  expect(before).toMatchObject({ now: { ltv_liquidation: '0.83' }, next: { ltv_liquidation: '0.62' } })
  expect(before.order.status).toBe(2)

  // A session ends after seven days without use.
  for (let day = 0; day < 29; day += 5) {
    await server.ok('localAdvance', { seconds: Math.min(5, 29 - day) * DAY_S })
    await read()
  }
  await setPrice()
  expect(await read()).toMatchObject({ now: { ltv_liquidation: '0.83' }, next: { ltv_liquidation: '0.62' } })
  await server.ok('localAdvance', { seconds: DAY_S })
  await setPrice()
  const after = await read()
  expect(after).toMatchObject({ now: { ltv_liquidation: '0.62' }, next: undefined, order: { status: 2 } })
  // Its liquidation price is still reckoned by 83 %.
  expect(Number(after.order.liquidation_price)).toBeCloseTo(Number(after.order.total_debt) / 0.83, 6)
  await expectBooksBalanced(server.db)
}, 60_000)
