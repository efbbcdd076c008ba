import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Refusal } from '@clearwell/ledger/refusal'
import { NotReady } from '@clearwell/ledger/writer'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAskLeader, type ForwardedCommand } from './ask-leader.ts'
import { type ForwardOptions, forwardToWriter } from './forward-to-writer.ts'
import { bodyHashOf, createServerSeal, FORWARDED } from './server-seal.ts'

interface Heard {
  readonly path: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

const running: Server[] = []
afterEach(() => {
  for (const server of running.splice(0)) server.close()
})

/** Another server of the ledger, which says these things one after the other. */
async function otherServer(
  ...says: { status: number; body: string; headers?: Record<string, string> }[]
): Promise<{ url: string; heard: Heard[] }> {
  const heard: Heard[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    heard.push({ path: request.url, headers: request.headers, body })
    const next = says[Math.min(heard.length, says.length) - 1]
    response.writeHead(next?.status ?? 500, next?.headers).end(next?.body)
  })
  running.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard }
}

const clock = { now: () => new Date('2026-11-24T09:00:00Z') }
const seal = createServerSeal({ secret: undefined, clock })
let reports: string[]
beforeEach(() => {
  reports = []
})

/** @param isWriting whether this server leads. */
function forwarding(url: string | undefined, isWriting: () => boolean = () => false): ForwardOptions {
  return {
    servers: {
      writer: async (call) =>
        url === undefined
          ? undefined
          : { url, holder: 'the writer', takesCall: call !== '/Wallet/new', takesBatches: false },
    },
    isWriting,
    askLeader: createAskLeader({ seal, ca: undefined, onError: (error) => reports.push(String(error)) }),
  }
}

const OK = { status: 200, body: '{"code":1,"msg":"ok","data":{"moved":"5"}}' }
const NOT_READY = { status: 503, body: '{"code":50300,"msg":"not ready","data":{}}' }

const command: ForwardedCommand = {
  path: '/api/Wallet/sell',
  call: '/Wallet/sell',
  headers: { 'xx-token': 'token', 'accept-language': 'en', cookie: 'theirs', 'xx-device-type': 'web' },
  clientAddress: '192.0.2.7',
  traceId: '0c3f2b1a-0000-4000-8000-000000000000',
  payload: { asset: 'BNB', amount: '1' },
  idempotencyKey: 'key-00001',
}
const neverWrites = () => Promise.reject(new Error('this server does not write'))

test('a follower forwards a command with its user and key', async () => {
  const { url, heard } = await otherServer(OK)
  const done = await forwardToWriter(forwarding(url), command, neverWrites)
  expect(done).toEqual({ there: { ...OK, code: 1 } })
  expect(heard).toHaveLength(1)
  expect(heard[0]).toMatchObject({ path: '/api/Wallet/sell', body: '{"asset":"BNB","amount":"1"}' })
  expect(heard[0]?.headers).toMatchObject({
    'xx-token': 'token',
    'accept-language': 'en',
    'idempotency-key': 'key-00001',
    'x-trace-id': command.traceId,
  })
  expect(heard[0]?.headers).not.toHaveProperty('cookie')
  expect(JSON.stringify(heard)).not.toContain('the writer')
  const received = { method: 'POST', path: command.path, headers: heard[0]?.headers ?? {} }
  expect(seal.verify(received, 'the writer')).toEqual({
    clientAddress: '192.0.2.7',
    bodyHash: bodyHashOf('{"asset":"BNB","amount":"1"}'),
  })
})

test('a command unknown to the leader waits for the next one', async () => {
  const { url, heard } = await otherServer(OK)
  const unknown = { ...command, path: '/api/Wallet/new', call: '/Wallet/new' }
  const waiting = forwardToWriter({ ...forwarding(url), giveUpAfterMs: 150 }, unknown, neverWrites)
  await expect(waiting).rejects.toBeInstanceOf(NotReady)
  const startedMs = performance.now()
  const leadsSoon = () => performance.now() - startedMs > 150
  expect(await forwardToWriter(forwarding(url, leadsSoon), unknown, async () => 'done')).toEqual({ here: 'done' })
  expect(heard).toEqual([])
})

test('a refusal of the writer is forwarded in its words', async () => {
  const body = '{"code":20001,"msg":"Balance not enough","data":{}}'
  const { url } = await otherServer({ status: 200, body })
  expect(await forwardToWriter(forwarding(url), command, neverWrites)).toEqual({
    there: { status: 200, code: 20001, body },
  })
})

test('a command without a key gets a stable one before forwarding', async () => {
  const { url, heard } = await otherServer(NOT_READY, { status: 200, body: 'half an ans' }, NOT_READY)
  const isWriting = () => heard.length === 3
  const keys: (string | undefined)[] = []
  const done = await forwardToWriter(
    forwarding(url, isWriting),
    { ...command, idempotencyKey: undefined },
    async (key) => keys.push(key),
  )
  expect(done).toEqual({ here: 1 })
  expect(keys[0]).toMatch(/^[\w-]{8,64}$/)
  expect(heard.map((each) => each.headers['idempotency-key'])).toEqual([keys[0], keys[0], keys[0]])
})

test('a command without a writer waits and gives up in time', async () => {
  const gone = await otherServer(OK)
  for (const server of running.splice(0)) server.close()
  for (const url of [undefined, gone.url]) {
    const given = forwardToWriter({ ...forwarding(url), giveUpAfterMs: 150 }, command, neverWrites)
    await expect(given).rejects.toBeInstanceOf(NotReady)
  }
})

test('the writer executes and refuses commands itself', async () => {
  const here = forwarding(undefined, () => true)
  expect(await forwardToWriter(here, { ...command, idempotencyKey: undefined }, async (key) => key)).toEqual({
    here: undefined,
  })
  const refused = forwardToWriter(here, command, () => Promise.reject(new Refusal('balance_not_enough')))
  await expect(refused).rejects.toMatchObject({ refusal: 'balance_not_enough' })
  // A database that is away is away for all.
  await expect(forwardToWriter(here, command, () => Promise.reject(new NotReady('away')))).rejects.toThrow('away')
})

test('a server that loses the lease forwards only commands with a key', async () => {
  const { url, heard } = await otherServer(OK)
  const losing = () => {
    let isWriting = true
    const lose = () => {
      isWriting = false
      return Promise.reject(new NotReady('the writer lease is held by another'))
    }
    return { options: forwarding(url, () => isWriting), lose }
  }
  const keyed = losing()
  expect(await forwardToWriter(keyed.options, command, keyed.lose)).toHaveProperty('there.status', 200)
  const keyless = losing()
  const unknown = forwardToWriter(keyless.options, { ...command, idempotencyKey: undefined }, keyless.lose)
  await expect(unknown).rejects.toBeInstanceOf(NotReady)
  expect(heard).toHaveLength(1)
})

test('a leader that refuses this server is reported once', async () => {
  const { url, heard } = await otherServer({
    status: 400,
    body: '{"code":20000,"msg":"Invalid input","data":{}}',
    headers: { [FORWARDED]: 'refused' },
  })
  const leads = () => heard.length > 5
  const options = { ...forwarding(url, leads), giveUpAfterMs: 50_000 }
  expect(await forwardToWriter(options, command, async () => 'done')).toEqual({ here: 'done' })
  expect(reports).toEqual([
    `Error: The leader at ${url} refuses the commands that this server forwards. Both need the same SERVER_KEY, and clocks less than a minute apart.`,
  ])
})
