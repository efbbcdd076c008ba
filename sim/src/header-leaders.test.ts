import { openPostgresDatabase } from '@clearwell/ledger/postgres-database'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { newKey, startTestServer } from '@clearwell/server/src/testing/server.ts'
import { canShareLedger, openSharedLedger, type SharedLedger } from '@clearwell/server/src/testing/two-servers.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HeaderWitness } from './header-witness.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

/** How often the leader is killed: `npm run nightly -- kills` sets it. */
const KILLS = Number(process.env.HEADER_KILLS ?? 0)
/** Each kill comes so much later after an order than the one before: a header is recorded, signed and stored in this time. */
const STEP_MS = 120
const WAIT = { timeout: 60_000, interval: 100 }

const isAsked = canShareLedger && KILLS > 0
const ends: (() => Promise<unknown>)[] = []
let ledger: SharedLedger
beforeAll(async () => {
  if (!isAsked) return
  ledger = await openSharedLedger()
  ends.push(ledger.end)
})
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

const variables = (name: string) => ({ ...ledger.variablesFor(name), PROOFS: 'on' })

/** A user whose sign-in works on every server. The server of this process ends, so that it never leads. */
async function newTrader(): Promise<string> {
  const first = await startTestServer(variables('first'))
  const user = await first.newUser()
  await user.pay('USDT', await first.ok('buy', { asset: 'USDT', amount: '500' }, { token: user.token }))
  await expect.poll(() => user.available('USDT'), { timeout: 20_000 }).toBe('500')
  await user.activateByBalance()
  await first.stop()
  return user.token
}

test.runIf(isAsked)(
  'leaders killed at each step make one header for each number',
  async () => {
    const token = await newTrader()
    const db = await openPostgresDatabase(ledger.variablesFor('first').DATABASE_URL ?? '', { maxConnections: 2 })
    ends.push(() => db.close())
    const witness = new HeaderWitness()
    let servers: ServerProcess[] = []
    for (const name of ['a', 'b']) servers.push(await startServerProcess(variables(name), ends))
    const order = async () => {
      const sell = { asset: 'USDT', amount: '10' }
      const headers = { 'content-type': 'application/json', 'xx-token': token, 'idempotency-key': newKey() }
      let code: number | undefined
      for (const { url } of servers) {
        const of = { method: 'POST', headers, body: JSON.stringify(sell) }
        const response = await fetch(`${url}/api/Wallet/sell`, of).catch(() => undefined)
        const reply = (await response?.json().catch(() => undefined)) as { readonly code: number } | undefined
        if (reply?.code === 1) return 1
        code = reply?.code
      }
      return code
    }
    /** Every order is in a header that is signed, and each server shows it. */
    const settle = async () => {
      const [tip] = await db.query<{ seq: bigint }>(
        "select max(seq) as seq from entries where kind = 'withdrawal_lock'",
      )
      await expect
        .poll(async () => {
          await Promise.all(servers.map(({ url }) => witness.ask(url)))
          const rows = await db.query(
            'select 1 from proof_headers join proof_header_bodies using (id) where ledger_seq >= $1 and root_signature is not null',
            [(tip?.seq ?? 0n).toString()],
          )
          return rows.length > 0
        }, WAIT)
        .toBe(true)
      await Promise.all(servers.map(({ url }) => witness.ask(url)))
    }
    for (let kill = 0; kill < KILLS; kill++) {
      await expect.poll(order, WAIT).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, (kill * STEP_MS) % 2_400))
      const [lease] = await db.query<{ url: string }>('select url from servers join writer_lease using (holder)')
      const leader = servers.find(({ url }) => url === lease?.url)
      await Promise.all(servers.map(({ url }) => witness.ask(url)))
      await leader?.kill()
      servers = servers.filter((each) => each !== leader)
      await settle()
      await witness.expectOneChain(db)
      if (leader) servers.push(await startServerProcess(variables(`kill-${kill}`), ends))
    }
    const [leaders] = await db.query<{ term: bigint }>('select count(*) as term from servers')
    console.log(`${KILLS} kills, ${witness.count} headers shown, ${leaders?.term} servers known`)
    expect(witness.count).toBeGreaterThanOrEqual(KILLS)
    await expectBooksBalanced(db)
  },
  120_000 + KILLS * 60_000,
)
