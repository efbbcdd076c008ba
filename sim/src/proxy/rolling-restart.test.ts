import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expectBooksBalanced } from '@clearwell/ledger/testing/database'
import { startTestServer, type TestServer, type TestUser } from '@clearwell/server/src/testing/server.ts'
import { canShareLedger, openSharedLedger } from '@clearwell/server/src/testing/two-servers.ts'
import { afterEach, expect, test } from 'vitest'
import { bundledProgram } from '../../../scripts/bundle-programs.ts'
import { findNginx, HOW_TO_GET_NGINX, type Nginx, type ProxiedServer, startNginx } from './nginx.ts'
import { createRequests, startLoad } from './steady-load.ts'
import { readStream } from './stream-reader.ts'

/**
 * The promise of docs/recipes/run-behind-a-proxy.md, with its own configuration: nginx, two server processes on one
 * PostgreSQL, and clients that do not know of the restarts.
 */
const isNightly = process.env.NIGHTLY === '1'
/** How often each server is restarted. */
const ROUNDS = isNightly ? 3 : 1
const PER_SECOND = isNightly ? 200 : 50
const BUSY = 4
const CALM = 2
const STREAMS_OF_EACH = 4
/** Time for a server to start, in milliseconds. */
const READY_MS = 60_000
/** Swaps that are sent again with their keys, at the end. */
const REPEATED = 50

const nginxProgram = findNginx()
if (canShareLedger && !nginxProgram) console.warn(`Tests behind a proxy are skipped. ${HOW_TO_GET_NGINX}`)
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function newTrader(server: TestServer): Promise<TestUser> {
  const user = await server.newUser()
  await user.transferIn('USDT', '1000')
  await user.transferIn('BNB', '5')
  await user.activateByBalance()
  return user
}

interface ServerProcess {
  /** Ends the process and starts another in its place. Resolves with the exit code once that one is ready. */
  restart(signal?: NodeJS.Signals): Promise<number | null>
}

async function startServerProcess(variables: NodeJS.ProcessEnv, { port }: ProxiedServer): Promise<ServerProcess> {
  const env = { ...process.env, PROFILE: 'local', METRICS_PORT: 'off', ARBITRAGE: 'off', PORT: String(port) }
  const program = await bundledProgram('server')
  async function start() {
    const child = spawn(process.execPath, [program, '--dev'], {
      env: { ...env, ...variables },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let log = ''
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      log += piece
    })
    const gone = once(child, 'exit')
    const end = async (signal: NodeJS.Signals) => {
      child.kill(signal)
      const [code] = (await gone) as [number | null]
      if (code) console.log(`a server has exited with code ${code}:\n${log}`)
      return code
    }
    ends.push(() => end('SIGKILL'))
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.status === 200
    const deadlineMs = performance.now() + READY_MS
    while (!(await isReady())) {
      if (child.exitCode !== null) throw new Error(`a server has ended with code ${child.exitCode}:\n${log}`)
      if (performance.now() > deadlineMs) throw new Error(`a server was not ready in time:\n${log}`)
      await wait(100)
    }
    return end
  }
  let end = await start()
  return {
    async restart(signal = 'SIGTERM') {
      const code = await end(signal)
      end = await start()
      return code
    },
  }
}

/** Two server processes behind nginx, whose commands to each other go through it too, encrypted. */
async function startBehindProxy(program: string) {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-proxy-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  const ledger = await openSharedLedger()
  ends.push(ledger.end)
  const opening = await startTestServer(ledger.variablesFor('opening'))
  const users: TestUser[] = []
  for (let count = 0; count < BUSY + CALM; count++) users.push(await newTrader(opening))
  await opening.stop()
  const nginx = await startNginx(program, folder)
  ends.push(nginx.stop)
  const shared = {
    SERVER_KEY: `0x${randomBytes(32).toString('hex')}`,
    SERVER_CA: nginx.certificateFile,
    DRAIN_MS: '1000',
  }
  const variablesFor = (name: string, tlsPort?: number) => ({
    ...ledger.variablesFor(name),
    ...shared,
    ...(tlsPort === undefined ? {} : { SERVER_URL: `https://localhost:${tlsPort}` }),
  })
  const [first, second] = nginx.servers
  return {
    users,
    nginx,
    servers: [
      await startServerProcess(variablesFor('first', first.tlsPort), first),
      await startServerProcess(variablesFor('second', second.tlsPort), second),
    ],
    /** One more server of the ledger, to look into it. */
    openObserver: () => startTestServer(variablesFor('observer')),
  }
}

/** Sends swaps again with their keys: each gets the response that it got before. */
async function expectKnown(nginx: Nginx, swaps: Awaited<ReturnType<ReturnType<typeof startLoad>['stop']>>['swaps']) {
  const requests = createRequests({ url: nginx.url, ca: nginx.certificate })
  const keyed = [...swaps].filter(([{ key }]) => key !== undefined)
  for (const [swap, id] of keyed.slice(-REPEATED)) {
    const { body } = await requests.send('POST', '/api/SwapPool/doSwap', swap)
    expect(JSON.parse(body)).toMatchObject({ code: 1, data: { transaction_id: id } })
  }
  requests.close()
}

test.runIf(canShareLedger && nginxProgram)(
  'no request fails while servers behind nginx restart or are killed',
  async () => {
    const { users, nginx, servers, openObserver } = await startBehindProxy(nginxProgram ?? '')
    const client = { url: nginx.url, ca: nginx.certificate }
    const calm = users.slice(BUSY)
    // The streams of one user end up on different servers at different times.
    const streamsOf = (user: TestUser) => Array.from({ length: STREAMS_OF_EACH }, () => readStream(client, user.token))
    const readers = calm.map((user) => ({ user, streams: streamsOf(user) }))
    const streams = readers.flatMap((reader) => reader.streams)
    ends.push(() => Promise.all(streams.map((stream) => stream.stop())))
    const waiting = () => streams.filter(({ hasBegun }) => !hasBegun).map(({ faults }) => faults)
    await expect.poll(waiting).toEqual([])
    const [busyTokens, calmTokens] = [users.slice(0, BUSY), calm].map((each) => each.map(({ token }) => token))
    const load = startLoad(client, { perSecond: PER_SECOND, busy: busyTokens ?? [], calm: calmTokens ?? [] })
    await wait(1_000)
    const codes: (number | null)[] = []
    for (let round = 0; round < ROUNDS; round++) for (const server of servers) codes.push(await server.restart())
    // The second server has left the lead to the first. A server that is killed cannot finish what it was sent. nginx asks
    // each server once, so no request may be left that the second one has missed while it restarted.
    await load.settle()
    expect(await servers[0]?.restart('SIGKILL')).toBe(null)
    await wait(1_000)
    const { requests, faults, swaps, slowestMs, perSecond } = await load.stop()
    const [rate, slowest] = [perSecond, slowestMs].map(Math.round)
    console.log(`${requests} requests, ${rate} a second, ${swaps.size} of them swaps; the slowest took ${slowest} ms`)

    if (faults.length > 0) console.log(await nginx.errors())
    expect(faults).toEqual([])
    expect(codes).not.toContain(null)
    expect(requests).toBeGreaterThan(ROUNDS * PER_SECOND)
    await expectKnown(nginx, swaps)

    const observer = await openObserver()
    ends.push(observer.stop)
    const made = await observer.db.query<{ id: string }>('select id from swap_orders order by id')
    expect(made.map(({ id }) => id)).toEqual([...swaps.values()].toSorted())
    expect(streams.flatMap((stream) => stream.faults)).toEqual([])
    for (const { connections } of streams) expect(connections).toBeGreaterThan(1)
    for (const { user, streams } of readers) {
      const own = await observer.db.query('select 1 from swap_orders where user_id = $1', [user.id])
      expect(own.length).toBeGreaterThan(0)
      await expect.poll(() => streams.map(({ entries }) => entries.size)).toEqual(streams.map(() => own.length))
    }
    await expectBooksBalanced(observer.db)
  },
  300_000,
)
