import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readPushState, renewPush, turnPushOff, turnPushOn } from './push-device.ts'

const ALICE = '0xAAAA000000000000000000000000000000000001'
const BOB = '0xbbbb000000000000000000000000000000000002'
const KEY = 'BPUBLIC_KEY-'
const OTHER_KEY = 'BOTHER__KEY-'

const { call } = vi.hoisted(() => ({ call: vi.fn() }))
vi.mock('../../api/client.ts', () => ({ call }))

interface FakeSubscription {
  readonly endpoint: string
  readonly options: { readonly applicationServerKey: ArrayBuffer }
  toJSON(): { endpoint: string; keys: Record<string, string> }
  unsubscribe(): Promise<boolean>
}

/** A browser with Web Push, as far as the app looks at it. */
function fakeBrowser() {
  let held: FakeSubscription | null = null
  let made = 0
  const browser = {
    permission: 'default' as NotificationPermission,
    /** The user's choice in the browser's prompt. */
    answer: 'granted' as NotificationPermission,
    asked: 0,
    registered: [] as string[],
    get held() {
      return held
    },
  }
  const pushManager = {
    getSubscription: async () => held,
    async subscribe({
      applicationServerKey,
      userVisibleOnly,
    }: {
      applicationServerKey: string
      userVisibleOnly: boolean
    }) {
      expect(userVisibleOnly).toBe(true)
      const endpoint = `https://push.example/${++made}`
      const bytes = Uint8Array.from(Buffer.from(applicationServerKey, 'base64url'))
      held = {
        endpoint,
        options: { applicationServerKey: bytes.buffer },
        toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }),
        async unsubscribe() {
          held = null
          return true
        },
      }
      return held
    },
  }
  const serviceWorker = {
    async register(path: string) {
      browser.registered.push(path)
      return { waiting: null, addEventListener() {} }
    },
    ready: Promise.resolve({ pushManager }),
    getRegistration: async () => (browser.registered.length > 0 ? { pushManager } : undefined),
  }
  const storage = new Map<string, string>()
  const notification = {
    get permission() {
      return browser.permission
    },
    async requestPermission() {
      browser.asked++
      browser.permission = browser.answer
      return browser.answer
    },
  }
  vi.stubGlobal('navigator', { serviceWorker })
  vi.stubGlobal('window', { PushManager: class {}, Notification: notification })
  vi.stubGlobal('Notification', notification)
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => storage.get(name) ?? null,
    setItem: (name: string, value: string) => storage.set(name, value),
    removeItem: (name: string) => storage.delete(name),
  })
  return browser
}

let browser: ReturnType<typeof fakeBrowser>
beforeEach(() => {
  call.mockReset()
  call.mockImplementation(async (name: string) => (name === 'pushKey' ? { public_key: KEY } : {}))
  browser = fakeBrowser()
})
afterEach(() => vi.unstubAllGlobals())

const calls = () => call.mock.calls.map(([name, payload]) => [name, payload.endpoint])

describe('the state is said as it is', () => {
  test('a browser without Web Push is always unsupported', async () => {
    vi.stubGlobal('window', {})
    expect(await readPushState(ALICE, KEY)).toBe('unsupported')
  })
  test("push is off without the operator's keys", async () => {
    expect(await readPushState(ALICE, null)).toBe('no_keys')
  })
  test("push is blocked by the browser's setting", async () => {
    browser.permission = 'denied'
    expect(await readPushState(ALICE, KEY)).toBe('blocked')
  })
  test('push is off by default, and reading it asks nothing', async () => {
    expect(await readPushState(ALICE, KEY)).toBe('off')
    expect(browser.asked).toBe(0)
    expect(browser.registered).toEqual([])
    expect(call).not.toHaveBeenCalled()
  })
})

test('turning push on asks user, browser and server, for this user', async () => {
  expect(await turnPushOn(ALICE, KEY)).toBe('on')
  expect(browser.registered).toEqual(['/worker.js'])
  expect(call.mock.calls).toEqual([['subscribePush', { endpoint: 'https://push.example/1', p256dh: 'p', auth: 'a' }]])
  expect(await readPushState(ALICE.toLowerCase(), KEY)).toBe('on')
  expect(await readPushState(BOB, KEY)).toBe('off')
})

test.each([
  ['denied', 'blocked'],
  ['default', 'off'],
] as const)('the choice %s leaves push %s and sends nothing', async (answer, state) => {
  browser.answer = answer
  expect(await turnPushOn(ALICE, KEY)).toBe(state)
  expect(browser.held).toBeNull()
  expect(call).not.toHaveBeenCalled()
})

test('push stays off when the server refuses the device', async () => {
  call.mockRejectedValueOnce(new Error('refused'))
  await expect(turnPushOn(ALICE, KEY)).rejects.toThrow('refused')
  expect(await readPushState(ALICE, KEY)).toBe('off')
})

test('a subscription for former operator keys is replaced', async () => {
  await turnPushOn(ALICE, OTHER_KEY)
  await turnPushOn(ALICE, KEY)
  expect(calls()).toEqual([
    ['subscribePush', 'https://push.example/1'],
    ['subscribePush', 'https://push.example/2'],
  ])
})

test('turning push off stays on if the server request fails', async () => {
  await turnPushOn(ALICE, KEY)
  call.mockRejectedValueOnce(new Error('offline'))
  await expect(turnPushOff()).rejects.toThrow('offline')
  expect(await readPushState(ALICE, KEY)).toBe('on')
  expect(await turnPushOff()).toBe('off')
  expect(calls().at(-1)).toEqual(['unsubscribePush', 'https://push.example/1'])
  expect(browser.held).toBeNull()
  expect(await readPushState(ALICE, KEY)).toBe('off')
})

describe('after a new sign-in', () => {
  test('the device is registered again for a user who enabled it', async () => {
    await turnPushOn(ALICE, KEY)
    call.mockClear()
    await renewPush(ALICE)
    expect(calls()).toEqual([
      ['pushKey', undefined],
      ['subscribePush', 'https://push.example/1'],
    ])
  })
  test('the device is not registered for another user', async () => {
    await turnPushOn(ALICE, KEY)
    call.mockClear()
    await renewPush(BOB)
    expect(call).not.toHaveBeenCalled()
  })
  test('the device is not registered with changed keys or blocked notifications', async () => {
    await turnPushOn(ALICE, OTHER_KEY)
    call.mockClear()
    await renewPush(ALICE)
    browser.permission = 'denied'
    await renewPush(ALICE)
    expect(calls()).toEqual([['pushKey', undefined]])
    browser.permission = 'granted'
    call.mockRejectedValueOnce(new Error('offline'))
    await expect(renewPush(ALICE)).resolves.toBeUndefined()
  })
})
