import { createECDH } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPushService } from '@clearwell/server/src/features/alert/testing/push-service.ts'
import { localConfigFile } from '@clearwell/server/src/platform/chain/testing/local-chain.ts'
import { type BrowserContext, chromium, expect, type Page, test } from '@playwright/test'
import { CHROMIUM, executable } from '../browser.ts'
import { leaveSession } from '../earlier-session.ts'
import { type OwnServer, startOwnServer } from '../own-server.ts'
import { installWallet } from '../signing-wallet.ts'
import { stepsOf } from '../steps.ts'
import { type Locale, textsOf } from '../texts.ts'

test.use({ serviceWorkers: 'allow' })

/** The server's signing key pair, whose public key the page passes to the browser. */
const pair = createECDH('prime256v1')
const publicKey = pair.generateKeys('base64url')

let service: Awaited<ReturnType<typeof startPushService>>
let file: Awaited<ReturnType<typeof localConfigFile>>
let server: OwnServer
let profile: string
test.beforeAll(async () => {
  test.setTimeout(120_000)
  service = await startPushService(publicKey, Date.now)
  file = await localConfigFile((config) => {
    config.push = { services: [service.origin] }
  })
  profile = mkdtempSync(join(tmpdir(), 'clearwell-e2e-push-'))
  server = await startOwnServer({
    ARBITRAGE: 'off',
    CONFIG_FILE: file.path,
    VAPID_PUBLIC_KEY: publicKey,
    VAPID_PRIVATE_KEY: Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url'),
    VAPID_SUBJECT: 'mailto:operator@clearwell.example',
  })
})
test.afterAll(async () => {
  await server?.stop()
  await file?.remove()
  await service?.stop()
  await rm(profile, { recursive: true, force: true })
})

/**
 * The test browser has no push service, so two parts are simulated: the `PushSubscription` that the page receives, and the
 * delivery of the decrypted message to the worker, which DevTools does. The rest is real: the page, the worker, the
 * server, and its signed and encrypted messages.
 */
test('a pushed alert appears in the device language and opens its market', async () => {
  const context = await openPhone(profile)
  const page = context.pages()[0] ?? (await context.newPage())
  const { baseURL, chainPort } = server
  await leaveSession(context, await installWallet(context, { chainPort }), baseURL)
  const { t, open, button, waitForSession } = stepsOf(page, 'en')
  await provideSubscription(context, service.newDevice())
  await setPrice(page, '3300')

  await open('/markets/ETHUSDT')
  await waitForSession()
  await button('alert_title').click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: t('alert_push_turn_on') }).click()
  // The worker starts once it has kept all code of the app.
  await expect(sheet.getByText(t('alert_push_on'), { exact: true })).toBeVisible({ timeout: 30_000 })
  const deliver = await createPushDelivery(context, page)
  await setAlert(page, 'en', '3500')

  await test.step('the worker shows the server message in English', async () => {
    await setPrice(page, '3600')
    await expect.poll(() => service.received.length).toBe(1)
    const text = service.received[0]?.text ?? ''
    expect(JSON.parse(text)).toEqual({ symbol: 'ETHUSDT', direction: 'above', price: '3500', language: 'en' })
    await deliver(text)
    expect(await shown(page)).toEqual([
      {
        title: 'Price alert',
        body: t('alert_notice_rose', { symbol: 'ETH/USDT', price: '3,500.00' }),
        tag: 'ETHUSDT-above-3500',
        lang: 'en',
        data: '/#/en/markets/ETHUSDT',
      },
    ])
    // The same message again does not add a notification.
    await deliver(text)
    expect(await shown(page)).toHaveLength(1)
  })

  await test.step('a tap closes the notification and opens its market', async () => {
    expect(await tap(context)).toEqual([`${baseURL}/#/en/markets/ETHUSDT`])
    await expect.poll(() => shown(page)).toEqual([])
  })

  await test.step('the notification is in Chinese after the device language changes', async () => {
    const renewed = page.waitForResponse('**/Alert/subscribe')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page
      .getByRole('banner')
      .getByRole('button', { name: t('app_language_switch') })
      .click()
    await renewed
    await page
      .getByRole('main')
      .getByRole('button', { name: textsOf('zh-HK')('alert_title'), exact: true })
      .click()
    await setAlert(page, 'zh-HK', '3000', 'alert_below')
    await setPrice(page, '2900')
    await expect.poll(() => service.received.length).toBe(2)
    await deliver(service.received[1]?.text ?? '')
    expect(await shown(page)).toEqual([
      {
        title: '到價提示',
        body: textsOf('zh-HK')('alert_notice_fell', { symbol: 'ETH/USDT', price: '3,000.00' }),
        tag: 'ETHUSDT-below-3000',
        lang: 'zh-HK',
        data: '/#/markets/ETHUSDT',
      },
    ])
    expect(await tap(context)).toEqual([`${baseURL}/#/markets/ETHUSDT`])
  })

  expect(service.faults).toEqual([])
  await context.close()
})

/** Opens a phone whose user has allowed notifications, which the browser stores only with a profile. */
function openPhone(folder: string): Promise<BrowserContext> {
  const { launchOptions } = test.info().project.use
  return chromium.launchPersistentContext(folder, {
    ...launchOptions,
    // Notifications need the whole browser.
    ...executable(CHROMIUM),
    baseURL: server.baseURL,
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
    permissions: ['notifications'],
  })
}

type Device = ReturnType<typeof service.newDevice>

/** Gives the page the address and keys that a push service would provide. */
function provideSubscription(context: BrowserContext, device: Device): Promise<unknown> {
  return context.addInitScript(({ endpoint, p256dh, auth }) => {
    const key = 'test subscription'
    const subscription = (applicationServerKey: string) => ({
      endpoint,
      options: {
        applicationServerKey: Uint8Array.from(
          atob(applicationServerKey.replaceAll('-', '+').replaceAll('_', '/')),
          (letter) => letter.charCodeAt(0),
        ).buffer,
      },
      toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
      unsubscribe: async () => localStorage.removeItem(key),
    })
    Object.assign(PushManager.prototype, {
      async subscribe({ applicationServerKey }: { applicationServerKey: string }) {
        localStorage.setItem(key, applicationServerKey)
        return subscription(applicationServerKey)
      },
      async getSubscription() {
        const made = localStorage.getItem(key)
        return made === null ? null : subscription(made)
      },
    })
  }, device)
}

/**
 * Delivers messages to the registered worker, as the browser does after receiving and decrypting them, and waits until the
 * worker shows a notification: this browser forgets one that is read earlier.
 */
async function createPushDelivery(context: BrowserContext, page: Page): Promise<(data: string) => Promise<void>> {
  const devTools = await context.newCDPSession(page)
  let displayed = () => {}
  devTools.on('BackgroundService.backgroundServiceEventReceived', ({ backgroundServiceEvent: { eventName } }) => {
    if (eventName === 'Notification displayed') displayed()
  })
  await devTools.send('BackgroundService.startObserving', { service: 'notifications' })
  await devTools.send('BackgroundService.setRecording', { shouldRecord: true, service: 'notifications' })
  const registered = new Promise<string>((resolve) => {
    devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [registration] = registrations
      if (registration) resolve(registration.registrationId)
    })
  })
  await devTools.send('ServiceWorker.enable')
  const registrationId = await registered
  return async (data) => {
    const isDisplayed = new Promise<void>((resolve) => {
      displayed = resolve
    })
    await devTools.send('ServiceWorker.deliverPushMessage', { origin: server.baseURL, registrationId, data })
    await isDisplayed
  }
}

/** Reads the notifications that the browser shows. */
function shown(page: Page) {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/')
    const notifications = (await registration?.getNotifications()) ?? []
    return notifications.map(({ title, body, tag, lang, data }) => ({ title, body, tag, lang, data }))
  })
}

/**
 * Taps the only notification by dispatching the click event to the worker. A browser opens windows only for real taps, so
 * the requested addresses are recorded instead. @returns these addresses.
 */
async function tap(context: BrowserContext): Promise<string[]> {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  return worker.evaluate(async () => {
    const self = globalThis as never as {
      registration: ServiceWorkerRegistration
      clients: object
      NotificationEvent: new (type: string, init: { notification: Notification }) => Event
    } & EventTarget
    const [notification] = await self.registration.getNotifications()
    if (!notification) throw new Error('no notification is shown')
    const opened: string[] = []
    // No window shows exactly this page, so the worker focuses none.
    Object.assign(self.clients, {
      matchAll: async () => [],
      openWindow: async (url: string) => void opened.push(url),
    })
    const event = new self.NotificationEvent('notificationclick', { notification })
    let work: unknown
    // Only the browser's own events can be extended.
    Object.defineProperty(event, 'waitUntil', { value: (promise: unknown) => (work = promise) })
    self.dispatchEvent(event)
    await work
    return opened
  })
}

async function setAlert(page: Page, locale: Locale, price: string, direction?: string): Promise<void> {
  const t = textsOf(locale)
  const sheet = page.getByRole('dialog')
  if (direction) await sheet.getByRole('radio', { name: t(direction), exact: true }).click()
  await sheet.getByRole('textbox', { name: `ETH/USDT · ${t('alert_price')}` }).fill(price)
  const set = page.waitForResponse('**/api/Alert/set')
  await sheet.getByRole('button', { name: t('alert_set') }).click()
  expect((await (await set).json()).code).toBe(1)
  await expect(sheet.getByText(t('alert_none'))).toHaveCount(0)
}

async function setPrice(page: Page, price: string): Promise<void> {
  const response = await page.request.post('/api/Local/price', { form: { symbol: 'ETHUSDT', price } })
  expect((await response.json()).code).toBe(1)
}
