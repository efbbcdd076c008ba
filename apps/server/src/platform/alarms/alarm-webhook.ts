import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { AlarmWebhookAddress } from '../../config/service-variables.ts'
import type { LogEvent } from '../log/log.ts'
import type { PlatformEvents } from '../log/platform-events.ts'
import { Backoff, type BackoffRules } from '../time/backoff.ts'
import { ALARMS } from './alarm-kinds.ts'
import type { RaisedAlarm } from './alarms.ts'
import { createRepeatGate } from './repeat-gate.ts'

/** Repetitions of one alarm are sent once in this time, in milliseconds. */
const REPEAT_MS = 3_600_000
/** Messages that wait. Beyond it the oldest is dropped. */
const MAX_WAITING = 100
/** How often one message is sent before it is dropped: for some two minutes. */
const MAX_ATTEMPTS = 8
const PACE: BackoffRules = { backoffMs: 1_000, maxBackoffMs: 60_000 }
const REQUEST_MS = 5_000

export interface AlarmWebhook {
  /** Queues an alarm, unless it repeats an earlier one. Never throws and never waits. */
  send(alarm: RaisedAlarm): void
  /** Gives each waiting message one more attempt. */
  stop(): Promise<void>
}

interface Message {
  readonly id: string
  readonly body: string
}

/**
 * Sends alarms to an address of the operator, signed as the Standard Webhooks specification says: with headers `webhook-id`,
 * `webhook-timestamp` and `webhook-signature`. A message has the same id in each attempt.
 *
 * @param options.origin tells servers apart.
 * @param options.onOutcome receives the outcome of each attempt, for the metrics.
 */
export function createAlarmWebhook({
  address,
  origin,
  pace = PACE,
  onOutcome,
  logEvent,
}: {
  readonly address: AlarmWebhookAddress
  readonly origin: { readonly version: string; readonly host: string }
  readonly pace?: BackoffRules
  readonly onOutcome: (outcome: WebhookOutcome) => void
  readonly logEvent: LogEvent<PlatformEvents>
}): AlarmWebhook {
  const gate = createRepeatGate(REPEAT_MS)
  const waiting: Message[] = []
  const stopping = new AbortController()
  let running: Promise<void> | undefined

  function drop(message: Message, reason: string): void {
    onOutcome('dropped')
    logEvent('alarm_webhook_failed', { id: message.id, reason })
  }

  async function drain(): Promise<void> {
    for (let message = waiting.shift(); message; message = waiting.shift()) {
      const fault = await deliver(message)
      if (fault !== undefined) drop(message, fault)
    }
  }

  /** @returns why the last attempt failed, or `undefined` for a success. */
  async function deliver(message: Message): Promise<string | undefined> {
    const backoff = new Backoff(pace, Math.random)
    for (let attempt = 1; ; attempt++) {
      const fault = await post(address, message)
      if (fault === undefined) {
        onOutcome('sent')
        return undefined
      }
      if (attempt >= MAX_ATTEMPTS || stopping.signal.aborted) return fault
      onOutcome('again')
      await wait(backoff.nextMs(), undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }

  return {
    send(alarm) {
      const repeats = gate.pass(`${alarm.kind} ${alarm.subject}`)
      if (repeats === undefined || stopping.signal.aborted) return
      const [oldest] = waiting
      if (oldest && waiting.length >= MAX_WAITING) {
        waiting.shift()
        drop(oldest, 'too many messages are waiting')
      }
      waiting.push({ id: `msg_${randomUUID()}`, body: bodyOf(alarm, repeats, origin) })
      running ??= drain().finally(() => {
        running = undefined
      })
    },
    async stop() {
      stopping.abort()
      await running
    },
  }
}

export const WEBHOOK_OUTCOMES = ['sent', 'again', 'dropped'] as const
export type WebhookOutcome = (typeof WEBHOOK_OUTCOMES)[number]

function bodyOf(
  { kind, message, at }: RaisedAlarm,
  repeats: number,
  { version, host }: { readonly version: string; readonly host: string },
): string {
  const { severity } = ALARMS[kind]
  const data = { kind, severity, message, repeats, host, version }
  // Chat services show `text` and ignore the rest.
  return JSON.stringify({
    type: 'alarm.raised',
    timestamp: at.toISOString(),
    data,
    text: `[${severity}] ${kind} on ${host}: ${message}`,
  })
}

/** @returns why it failed, or `undefined` for a success. */
async function post({ url, key }: AlarmWebhookAddress, { id, body }: Message): Promise<string | undefined> {
  const timestamp = Math.floor(Date.now() / 1000).toString()
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(REQUEST_MS),
    })
    await response.body?.cancel()
    return response.ok ? undefined : `the receiver responded with ${response.status}`
  } catch (error) {
    const { message, cause } = error as Error
    return cause instanceof Error ? `${message}: ${cause.message}` : message
  }
}
