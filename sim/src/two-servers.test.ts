import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { newKey, startTestServer, type TestServer, type TestUser } from '@clearwell/server/src/testing/server.ts'
import { canShareLedger, openSharedLedger, type SharedLedger } from '@clearwell/server/src/testing/two-servers.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HeaderWitness } from './header-witness.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

const USERS = 4
const CLIENTS = 24
/** How many swaps are acknowledged before the writer is killed, and after it. */
const SWAPS_BEFORE = 150
const SWAPS_AFTER = 150

const ends: (() => Promise<unknown>)[] = []
let ledger: SharedLedger
/** Serves reads and hands commands on, until the other is killed. */
let survivor: TestServer
let writing: ServerProcess
beforeAll(async () => {
  if (!canShareLedger) return
  ledger = await openSharedLedger()
  ends.push(ledger.end)
  // The leader is a separate process, which can be killed.
  writing = await startServerProcess(variables('writing'), ends)
  survivor = await startTestServer(variables('survivor'))
  ends.push(survivor.destroy)
})
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

const variables = (name: string) => ({ ...ledger.variablesFor(name), PROOFS: 'on' })
const witness = new HeaderWitness()

/** A user whose payments and activation were all asked of the server that does not write. */
async function newTrader(): Promise<TestUser> {
  const user = await survivor.newUser()
  const deposit = { USDT: '500', BNB: '2' } as const
  for (const asset of ['USDT', 'BNB'] as const) {
    await user.pay(asset, await survivor.ok('buy', { asset, amount: deposit[asset] }, { token: user.token }))
  }
  await expect.poll(() => user.available('BNB'), { timeout: 20_000 }).toBe('2')
  await expect.poll(() => user.available('USDT'), { timeout: 20_000 }).toBe('500')
  await user.activateByBalance()
  return user
}

interface Swap {
  readonly key: string
  readonly token: string
  readonly amount: string
  readonly inverse: 0 | 1
}

interface SwapReply {
  readonly code: number
  readonly data: { readonly transaction_id?: string }
}

/** The same for every repetition: another deadline would be another payload. */
const DEADLINE = new Date(Date.now() + 600_000).toISOString()

const payloadOf = ({ amount, inverse }: Swap) => ({
  pool_id: 'bnb-usdt',
  amount,
  inverse,
  min_amount_out: '0',
  deadline: DEADLINE,
})

/** Asks the server in the separate process; `undefined` without a response. */
async function askWriting(swap: Swap): Promise<SwapReply | undefined> {
  try {
    const response = await fetch(`${writing.url}/api/SwapPool/doSwap`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'xx-token': swap.token, 'idempotency-key': swap.key },
      body: JSON.stringify(payloadOf(swap)),
    })
    return (await response.json()) as SwapReply
  } catch {
    return undefined
  }
}

function askSurvivor(swap: Swap): Promise<SwapReply> {
  return survivor.call('doSwap', payloadOf(swap), { token: swap.token, key: swap.key, as: 'json' })
}

test.runIf(canShareLedger)(
  'a writer killed under load loses and repeats nothing',
  async () => {
    const users: TestUser[] = []
    for (let count = 0; count < USERS; count++) users.push(await newTrader())
    expect((await survivor.app.inject('/readyz')).statusCode).toBe(200)

    /** The responses that clients received, each under its key: a repeated one must be the same. */
    const acknowledged = new Map<string, string>()
    let isKilled = false
    let answeredAfter = 0
    const client = async (number: number) => {
      const user = users[number % USERS] as TestUser
      for (let turn = 0; answeredAfter < SWAPS_AFTER; turn++) {
        const inverse = ((number + turn) % 2) as 0 | 1
        const swap = { key: newKey(), token: user.token, amount: inverse ? '0.62' : '0.001', inverse }
        // Half of the clients begin at each server. Without a response, a client asks the other with the same key.
        let reply = number % 2 === 0 && !isKilled ? await askWriting(swap) : await askSurvivor(swap)
        while (reply?.code !== 1) {
          expect([undefined, 50300]).toContain(reply?.code)
          reply = await askSurvivor(swap)
        }
        acknowledged.set(swap.key, reply.data.transaction_id ?? '')
        // Now and then somebody asks once more.
        if (turn % 5 === 0) {
          let again = await askSurvivor(swap)
          while (again.code === 50300) again = await askSurvivor(swap)
          expect(again.data).toEqual(reply.data)
        }
        if (isKilled) answeredAfter++
        if (!isKilled && acknowledged.size >= SWAPS_BEFORE) {
          isKilled = true
          await witness.ask(writing.url)
          await writing.kill()
        }
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)))

    const made = await survivor.db.query<{ id: string }>('select id from swap_orders order by id')
    expect(made.map((row) => row.id)).toEqual([...acknowledged.values()].sort())
    expect(new Set(acknowledged.values()).size).toBe(acknowledged.size)

    // The one that was killed comes back, does not write, and hands on.
    writing = await startServerProcess(variables('again'), ends)
    const [user] = users
    const swap = { key: newKey(), token: user?.token ?? '', amount: '0.001', inverse: 0 } as const
    const reply = await askWriting(swap)
    expect(reply?.code).toBe(1)
    expect((await askSurvivor(swap)).data).toEqual(reply?.data)
    const [lease] = await survivor.db.query<{ url: string }>('select url from servers join writer_lease using (holder)')
    expect(lease?.url).toBe(survivor.url)
    // Both leaders have made headers: they are one chain, and no number has two.
    await expect
      .poll(async () => (await witness.ask(survivor.url))?.header.previous, { timeout: 30_000 })
      .toMatch(/^0x(?!0{64}$)/)
    expect(witness.count).toBeGreaterThan(1)
    await witness.ask(writing.url)
    await witness.expectOneChain(survivor.db)
    await expectBooksBalanced(survivor.db)
  },
  120_000,
)
