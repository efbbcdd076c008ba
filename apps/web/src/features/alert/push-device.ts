import { call } from '../../api/client.ts'

/** Where the server has its worker, which does nothing but show what is pushed. */
const WORKER = '/push-worker.js'
/** Whose alerts this device was asked to show: of nobody who merely signs in on it later. */
const OWNER_KEY = 'clearwell.push'

/**
 * What notifications on this device are. `unsupported`: the browser has none. `no_keys`: the operator sends none.
 * `blocked`: the user told the browser to show none.
 */
export type PushState = 'unsupported' | 'no_keys' | 'blocked' | 'off' | 'on'

export async function readPushState(owner: string, publicKey: string | null): Promise<PushState> {
  if (!isSupported()) return 'unsupported'
  if (publicKey === null) return 'no_keys'
  if (Notification.permission === 'denied') return 'blocked'
  const isOn = isOwner(owner) && Notification.permission === 'granted' && (await subscription()) !== null
  return isOn ? 'on' : 'off'
}

/** By a tap only: asks the user, the browser, and then the server. Answers what became of it. */
export async function turnPushOn(owner: string, publicKey: string): Promise<PushState> {
  const answer = await Notification.requestPermission()
  if (answer !== 'granted') return answer === 'denied' ? 'blocked' : 'off'
  await navigator.serviceWorker.register(WORKER)
  const { pushManager } = await navigator.serviceWorker.ready
  const before = await pushManager.getSubscription()
  // The operator has other keys now: what the browser holds is good for the old ones only.
  if (before && keyOf(before) !== publicKey) await before.unsubscribe()
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  await send(await pushManager.subscribe(options))
  keepOwner(owner)
  return 'on'
}

/** The server first: what it does not know it does not send. */
export async function turnPushOff(): Promise<PushState> {
  const device = await subscription()
  if (device) {
    await call('unsubscribePush', { endpoint: device.endpoint })
    await device.unsubscribe()
  }
  keepOwner(undefined)
  return 'off'
}

/**
 * Has the server know this device again, with the session and the language of now, where this user had turned it on: it
 * forgets what belongs to a session that signed out. Never throws: nobody asked for it.
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

/** The operator's key that a subscription was made with, as the server writes it. */
function keyOf({ options }: PushSubscription): string | undefined {
  const key = options.applicationServerKey
  if (!key) return undefined
  const binary = String.fromCharCode(...new Uint8Array(key))
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function isOwner(owner: string): boolean {
  try {
    return localStorage.getItem(OWNER_KEY) === owner.toLowerCase()
  } catch {
    return false
  }
}

/** Where nothing can be kept, it is on until the page is gone from the server's list of devices. */
function keepOwner(owner: string | undefined): void {
  try {
    if (owner === undefined) localStorage.removeItem(OWNER_KEY)
    else localStorage.setItem(OWNER_KEY, owner.toLowerCase())
  } catch {}
}
