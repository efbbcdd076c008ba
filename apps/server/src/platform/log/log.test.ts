import { expect, test } from 'vitest'
import { readEnvironment } from '../../config/environment.ts'
import { defineEvents } from './define-events.ts'
import { createLog } from './log.ts'
import { platformEvents } from './platform-events.ts'
import { createReport } from './report.ts'
import { secretRemover } from './secrets.ts'

const PASSWORD = 'p"a\\ss/w rd'
const SIGNER = `${'C0FFEE'.repeat(10)}BEEF`
const SERVERS = `${'5E1F'.repeat(15)}BEEF`
const SEEDS = `${'5EED'.repeat(15)}BEEF`
const VAPID_PRIVATE = 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'
const WEBHOOK_KEY = Buffer.from('a key of the webhook, 31 bytes.').toString('base64')
const NODE_KEY = 'n0de-key-in-the-path-of-the-url'
const NEXT_KEY = 'key-of-the-next-node'

const env = readEnvironment({
  DATABASE_URL: `postgres://clearwell:${encodeURIComponent(PASSWORD)}@db.example/clearwell`,
  CHAIN_RPC_URL: `https://node.example/v1/${NODE_KEY}, https://next.example/?key=${NEXT_KEY}`,
  CHAIN_RPC_URL_CHECK: `https://user:second-password@check.example/?apikey=third-key`,
  SIGNER_KEY: `0x${SIGNER}`,
  BOX_SEED_KEY: `0x${SEEDS}`,
  SERVER_KEY: `0x${SERVERS}`,
  VAPID_PUBLIC_KEY: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  VAPID_PRIVATE_KEY: VAPID_PRIVATE,
  VAPID_SUBJECT: 'mailto:ops@example.com',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-key',
  ALARM_WEBHOOK_URL: 'https://hooks.example/services/T0000/key-of-the-chat-service',
  ALARM_WEBHOOK_KEY: `whsec_${WEBHOOK_KEY}`,
})
const SECRETS = [
  PASSWORD,
  encodeURIComponent(PASSWORD),
  JSON.stringify(PASSWORD).slice(1, -1),
  SIGNER,
  SIGNER.toLowerCase(),
  SEEDS,
  SEEDS.toLowerCase(),
  SERVERS,
  SERVERS.toLowerCase(),
  VAPID_PRIVATE,
  NODE_KEY,
  WEBHOOK_KEY,
  'key-of-the-chat-service',
  NEXT_KEY,
  'Bearer%20collector-key',
  'Bearer collector-key',
  'second-password',
  'third-key',
]

const testEvents = defineEvents({
  test_broken: { level: 'error', text: 'it broke', fields: { trace_id: '', err: '' } },
  test_seen: { level: 'debug', text: 'not logged at this level' },
  test_leaked: { level: 'info', text: '', fields: { err: '', token: '', secret: '', password: '' } },
})
const ORIGIN = { version: '1.2.3', host: 'app-1', pid: 71 }

function openLog({ isTerminal = false } = {}) {
  const lines: string[] = []
  const destination = { write: (line: string) => lines.push(line) }
  const log = createLog({ level: 'info', redact: secretRemover(env), origin: ORIGIN, isTerminal, destination })
  return { lines, logEvent: log.events(testEvents), logPlatform: log.events(platformEvents) }
}

test('a line is one JSON object with origin, event, message and error', () => {
  const { logEvent, lines } = openLog()
  const cause = Object.assign(new Error('socket closed'), { code: 'ECONNRESET', request: { body: 'large' } })
  logEvent('test_broken', { trace_id: 'abc', err: new Error('it broke', { cause }) })
  logEvent('test_seen', {})
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    level: 'error',
    ...ORIGIN,
    event: 'test_broken',
    msg: 'it broke',
    trace_id: 'abc',
    err: {
      type: 'Error',
      message: 'it broke',
      stack: expect.stringContaining('log.test.ts'),
      cause: { type: 'Error', message: 'socket closed', code: 'ECONNRESET', stack: expect.any(String) },
    },
  })
})

test('a reported error has its trace id, kind of alarm and activity', () => {
  const { logPlatform: logEvent, lines } = openLog()
  const raised: string[] = []
  const report = createReport({ logEvent, alarms: { raise: (kind, message) => raised.push(`${kind}: ${message}`) } })
  report(new TypeError('bug'), 'request', '0c3f')
  report(new Error('block 5 was replaced'), 'watcher halted')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    {
      level: 'warn',
      event: 'alarm_raised',
      alarm: 'request_failed',
      task: 'request',
      trace_id: '0c3f',
      msg: 'bug',
      err: { type: 'TypeError' },
    },
    {
      level: 'error',
      event: 'critical_alarm_raised',
      alarm: 'watcher_halted',
      task: 'watcher halted',
      msg: 'block 5 was replaced',
    },
  ])
  expect(raised).toEqual(['request_failed: bug', 'watcher_halted: block 5 was replaced'])
})

test('repetitions of an alarm have one line in five minutes', () => {
  const { logPlatform: logEvent, lines } = openLog()
  let raised = 0
  let nowMs = 0
  const report = createReport({ logEvent, alarms: { raise: () => raised++ }, nowMs: () => nowMs })
  for (const block of [5, 6, 7]) report(new Error(`block ${block} is late`), 'watcher')
  report(new Error('block 7 is late'), 'elsewhere')
  nowMs = 300_000
  report(new Error('block 8 is late'), 'watcher')
  expect(lines.map((line) => JSON.parse(line)).map(({ task, msg, repeats }) => [task, msg, repeats])).toEqual([
    ['watcher', 'block 5 is late', undefined],
    ['elsewhere', 'block 7 is late', undefined],
    ['watcher', 'block 8 is late', 2],
  ])
  expect(raised).toBe(5)
})

test('every error of a request has its line, repetitions without a stack', () => {
  const { logPlatform: logEvent, lines } = openLog()
  const report = createReport({ logEvent, alarms: { raise: () => {} } })
  for (const id of ['a', 'b', 'c']) report(new TypeError('bug'), 'request', id)
  expect(lines.map((line) => JSON.parse(line)).map(({ trace_id, err }) => [trace_id, err?.type])).toEqual([
    ['a', 'TypeError'],
    ['b', undefined],
    ['c', undefined],
  ])
})

test.each([false, true])('the log omits every secret (terminal: %s)', (isTerminal) => {
  const { logEvent, lines } = openLog({ isTerminal })
  const none = { err: undefined, token: undefined, secret: undefined, password: undefined }
  for (const secret of [...SECRETS, env.databaseUrl, ...env.chainRpcUrls, env.chainRpcUrlCheck]) {
    const err = new Error(`failed with ${secret}`, { cause: new Error(secret) })
    logEvent('test_leaked', { ...none, secret, err }, `the message has ${secret}`)
  }
  logEvent('test_leaked', { ...none, token: 'session-token', password: 'hunter2' })
  const text = lines.join('')
  for (const secret of [...SECRETS, 'session-token', 'hunter2']) expect(text).not.toContain(secret)
  expect(text).toContain('[secret]')
  // The host helps to find a fault.
  expect(text).toContain('node.example')
})

test('a terminal shows text with the stacks below', () => {
  const { logPlatform, lines } = openLog({ isTerminal: true })
  const fields = {
    alarm: 'node_fault',
    task: 'watcher',
    trace_id: undefined,
    repeats: undefined,
    err: new Error('no response'),
  }
  logPlatform('alarm_raised', fields, 'no response')
  expect(lines[0]).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} .*warn.* no response event=alarm_raised alarm=node_fault task=watcher\n {4}Error: no response\n {4}at /,
  )
})
