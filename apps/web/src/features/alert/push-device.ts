import { anyText, stored } from '@clearwell/ui/browser/stored.ts'
import { call } from '../../api/client.ts'
import { registerWorker } from '../../browser/shell-worker.ts'

/** The address whose alerts this device shows. Another user who signs in later has to turn them on. */
const pushOwner = stored<string>({
  key: 'clearwell.push',
  scope: 'device',
  format: 'text',
  schema: anyText,
})

/**
 * The state of notifications on this device. `unsupported`: the browser has none. `no_keys`: the operator sends none.
 * `blocked`: the user has blocked them in the browser.
 */
export type PushState = 'unsupported' | 'no_keys' | 'blocked' | 'off' | 'on'

export async function readPushState(owner: string, publicKey: string | null): Promise<PushState> {
  if (!isSupported()) return 'unsupported'
  if (publicKey === null) return 'no_keys'
  if (Notification.permission === 'denied') return 'blocked'
  const isOn = isOwner(owner) && Notification.permission === 'granted' && (await subscription()) !== null
  return isOn ? 'on' : 'off'
}

/** Asks the user, the browser, then the server. Only after a tap. @returns the new state. */
export async function turnPushOn(owner: string, publicKey: string): Promise<PushState> {
  const answer = await Notification.requestPermission()
  if (answer !== 'granted') return answer === 'denied' ? 'blocked' : 'off'
  await registerWorker()
  const { pushManager } = await navigator.serviceWorker.ready
  const before = await pushManager.getSubscription()
  // The operator has new keys: the browser's subscription works with the old ones only.
  if (before && keyOf(before) !== publicKey) await before.unsubscribe()
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  await send(await pushManager.subscribe(options))
  pushOwner.set(owner.toLowerCase())
  return 'on'
}

/** Unsubscribes at the server first, so that it stops sending in any case. */
export async function turnPushOff(): Promise<PushState> {
  const device = await subscription()
  if (device) {
    await call('unsubscribePush', { endpoint: device.endpoint })
    await device.unsubscribe()
  }
  pushOwner.set(undefined)
  return 'off'
}

/**
 * Subscribes this device again with the current session and language, if this user had turned notifications on: the server
 * forgets devices of sessions that signed out. Never throws, because no user action waits for it.
 */
export async function renewPush(owner: string): Promise<void> {
  try {
    if (!isSupported() || !isOwner(owner) || Notification.permission !== 'granted') return
    const device = await subscription()
    if (!device) return
    const { public_key } = await call('pushKey', {})
    if (public_key !== null && keyOf(device) === public_key) await send(device)
  } catch {}
}

function isSupported(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

async function subscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration('/')
  return (await registration?.pushManager.getSubscription()) ?? null
}

async function send(device: PushSubscription): Promise<void> {
  const { endpoint, keys } = device.toJSON()
  if (endpoint === undefined || !keys?.p256dh || !keys.auth) throw new TypeError('a subscription without keys')
  await call('subscribePush', { endpoint, p256dh: keys.p256dh, auth: keys.auth })
}

/** The operator's key of a subscription, in the server's notation. */
function keyOf({ options }: PushSubscription): string | undefined {
  const key = options.applicationServerKey
  if (!key) return undefined
  const binary = String.fromCharCode(...new Uint8Array(key))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function isOwner(owner: string): boolean {
  return pushOwner.get() === owner.toLowerCase()
}
