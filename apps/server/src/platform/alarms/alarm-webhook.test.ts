import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createAlarmWebhook } from './alarm-webhook.ts'
import type { RaisedAlarm } from './alarms.ts'

const KEY = Buffer.from('a key of the webhook, 31 bytes.')
const ALARM: RaisedAlarm = {
  kind: 'watcher_halted',
  subject: 'block # was replaced',
  message: 'block 5 was replaced',
  at: new Date('2026-01-01T00:00:00Z'),
}

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** A receiver that responds with these statuses, the last one again and again. */
async function open(...statuses: number[]) {
  const received: { headers: IncomingHttpHeaders; body: string }[] = []
  const events: object[] = []
  const outcomes: string[] = []
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    received.push({ headers: request.headers, body })
    response.writeHead(statuses[Math.min(received.length, statuses.length) - 1] ?? 500).end()
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const webhook = createAlarmWebhook({
    address: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/alarms`, key: KEY },
    origin: { version: '1.2.3', host: 'app-1' },
    pace: { backoffMs: 1, maxBackoffMs: 2 },
    onOutcome: (outcome) => outcomes.push(outcome),
    logEvent: (event, fields) => events.push({ event, ...fields }),
  })
  return { webhook, received, events, outcomes }
}

test('an alarm arrives signed, and its repetitions are held back', async () => {
  const { webhook, received, outcomes } = await open(204)
  webhook.send(ALARM)
  webhook.send({ ...ALARM, message: 'block 6 was replaced' })
  webhook.send({ ...ALARM, kind: 'node_fault', subject: 'no response', message: 'no response' })
  await expect.poll(() => outcomes).toEqual(['sent', 'sent'])
  const [{ headers, body } = { headers: {}, body: '' }] = received
  expect(JSON.parse(body)).toEqual({
    type: 'alarm.raised',
    timestamp: '2026-01-01T00:00:00.000Z',
    data: {
      kind: 'watcher_halted',
      severity: 'critical',
      message: 'block 5 was replaced',
      repeats: 0,
      host: 'app-1',
      version: '1.2.3',
    },
    text: '[critical] watcher_halted on app-1: block 5 was replaced',
  })
  // Source of the format: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', KEY).update(signed).digest('base64')}`)
  expect(Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp']))).toBeLessThan(60)
  expect(received.map((each) => JSON.parse(each.body).data.kind)).toEqual(['watcher_halted', 'node_fault'])
})

test('a failing receiver gets the same message again', async () => {
  const { webhook, received, events, outcomes } = await open(500, 302, 200)
  webhook.send(ALARM)
  await expect.poll(() => outcomes).toEqual(['again', 'again', 'sent'])
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(events).toEqual([])
})

test('a message is dropped after its last attempt, and logged', async () => {
  const { webhook, received, events, outcomes } = await open(503)
  webhook.send(ALARM)
  await expect.poll(() => outcomes.at(-1)).toBe('dropped')
  expect(received).toHaveLength(8)
  expect(events).toEqual([
    {
      event: 'alarm_webhook_failed',
      id: received[0]?.headers['webhook-id'],
      reason: 'the receiver responded with 503',
    },
  ])
})

test('stopping tries each waiting message once and then ends', async () => {
  const { webhook, outcomes } = await open(503)
  webhook.send(ALARM)
  webhook.send({ ...ALARM, kind: 'insolvent' })
  await webhook.stop()
  expect(outcomes.filter((outcome) => outcome === 'dropped')).toHaveLength(2)
})

test('beyond a hundred waiting messages the oldest is dropped', async () => {
  const { webhook, events, outcomes } = await open(200)
  for (let letter = 0; letter < 102; letter++) webhook.send({ ...ALARM, subject: String(letter) })
  await expect.poll(() => outcomes.filter((outcome) => outcome === 'sent').length).toBe(101)
  expect(events).toHaveLength(1)
  expect(events[0]).toMatchObject({ reason: 'too many messages are waiting' })
})
