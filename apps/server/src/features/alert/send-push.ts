import webPush from 'web-push'
import type { VapidKeys } from '../../config/service-variables.ts'

export interface PushMessage {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
  readonly text: string
  /** A later message of the same topic replaces one that was not shown yet. Up to 32 letters, digits, - and _. */
  readonly topic: string
  /** How long the service keeps the message for a device that is offline. */
  readonly ttlS: number
}

/** `gone`: the device no longer exists. `again`: a retry may succeed. `refused`: no retry will. */
export type PushOutcome =
  | { readonly kind: 'sent' | 'gone' }
  | { readonly kind: 'again'; readonly afterMs: number | undefined; readonly why: string }
  | { readonly kind: 'refused'; readonly why: string }

const RESPONSE_TIMEOUT_MS = 10_000

/** Sends one message, encrypted for its device (RFC 8291). Never throws. The caller has checked that the address is a push service's. */
export async function sendPush(keys: VapidKeys, message: PushMessage, stopped: AbortSignal): Promise<PushOutcome> {
  try {
    const { endpoint, p256dh, auth } = message
    const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, message.text, {
      vapidDetails: keys,
      TTL: message.ttlS,
      topic: message.topic,
      urgency: 'high',
    })
    // fetch sets the length.
    const { 'Content-Length': _, ...sent } = headers as Record<string, string>
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)])),
      body: new Uint8Array(body),
      // A redirect could lead to an address of somebody's choice.
      redirect: 'manual',
      signal: AbortSignal.any([stopped, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
    })
    // Nothing reads the body, which could be endless.
    await response.body?.cancel()
    return outcomeOf(response)
  } catch (error) {
    return { kind: 'again', afterMs: undefined, why: error instanceof Error ? error.name : 'no response' }
  }
}

function outcomeOf({ status, headers }: Response): PushOutcome {
  if (status >= 200 && status < 300) return { kind: 'sent' }
  if (status === 404 || status === 410) return { kind: 'gone' }
  const why = `status ${status}`
  if (status !== 429 && status < 500) return { kind: 'refused', why }
  const seconds = headers.get('retry-after') ?? ''
  return { kind: 'again', afterMs: /^\d{1,6}$/.test(seconds) ? Number(seconds) * 1_000 : undefined, why }
}
