import { createECDH } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPushService } from '@clearwell/server/src/features/alert/testing/push-service.ts'
import { localConfigFile } from '@clearwell/server/src/platform/chain/testing/local-chain.ts'
import { type BrowserContext, chromium, expect, type Page, test } from '@playwright/test'
import { type OwnServer, startOwnServer } from '../own-server.ts'
import { installWallet, WALLET_NAME } from '../signing-wallet.ts'
import { stepsOf } from '../steps.ts'
import { type Locale, textsOf } from '../texts.ts'

/** What the operator's server signs with, and what a browser hands to the page for it. */
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
 * The browser here has no push service of its own, so two things stand in for it: what it would hand to the page
 * (`PushSubscription`), and the last step, from the decrypted message to the worker, which DevTools does. All between is
 * real: the page, the worker, the server, and what it signs, encrypts and sends.
 */
test('an alert that is pushed is shown by the browser in the language of the device, and leads to its market', async () => {
  const context = await openPhone(profile)
  const page = context.pages()[0] ?? (await context.newPage())
  const { baseURL, chainPort } = server
  await installWallet(context, { chainPort })
  const { t, open, button, signIn } = stepsOf(page, 'en')
  await lendSubscription(context, service.newDevice())
  await setPrice(page, '3300')

  await open('/markets/ETHUSDT')
  await signIn(WALLET_NAME)
  await button('alert_title').click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: t('alert_push_turn_on') }).click()
  await expect(sheet.getByText(t('alert_push_on'), { exact: true })).toBeVisible()
  const deliver = await deliverer(context, page)
  await setAlert(page, 'en', '3500')

  await test.step('what the server sends is what the worker shows, in English', async () => {
    await setPrice(page, '3600')
    await expect.poll(() => service.received.length).toBe(1)
    const text = service.received[0]?.text ?? ''
    expect(JSON.parse(text)).toEqual({ symbol: 'ETHUSDT', direction: 'above', price: '3500', language: 'en' })
    await deliver(text)
    expect(await shown(page)).toEqual([
      {
        title: 'Price alert',
        body: t('notice_price_rose', { symbol: 'ETHUSDT', price: '3,500' }),
        tag: 'ETHUSDT-above-3500',
        lang: 'en',
        data: '/#/en/markets/ETHUSDT',
      },
    ])
    // The same message once more is the same notification.
    await deliver(text)
    expect(await shown(page)).toHaveLength(1)
  })

  await test.step('tapped, it goes away and asks for the page of its market', async () => {
    expect(await tap(context)).toEqual([`${baseURL}/#/en/markets/ETHUSDT`])
    await expect.poll(() => shown(page)).toEqual([])
  })

  await test.step('in Chinese once the device speaks it', async () => {
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
      .getByRole('button', { name: new RegExp(textsOf('zh-HK')('alert_title')) })
      .click()
    await setAlert(page, 'zh-HK', '3000', 'alert_below')
    await setPrice(page, '2900')
    await expect.poll(() => service.received.length).toBe(2)
    await deliver(service.received[1]?.text ?? '')
    expect(await shown(page)).toEqual([
      {
        title: '到價提示',
        body: textsOf('zh-HK')('notice_price_fell', { symbol: 'ETHUSDT', price: '3,000' }),
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

/** A phone whose user has allowed notifications. They are kept with a profile only. */
function openPhone(folder: string): Promise<BrowserContext> {
  const { launchOptions } = test.info().project.use
  return chromium.launchPersistentContext(folder, {
    ...launchOptions,
    baseURL: server.baseURL,
    viewport: { width: 390, height: 844 },
    locale: 'en-GB',
    permissions: ['notifications'],
  })
}

type Device = ReturnType<typeof service.newDevice>

/** What a browser would get from its push service: the address and the keys of this device. */
function lendSubscription(context: BrowserContext, device: Device): Promise<unknown> {
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
 * Hands messages to the worker that the page has registered, as the browser does that has received and decrypted them, and
 * waits until it shows something: a notification that is asked for before that is forgotten by this browser.
 */
async function deliverer(context: BrowserContext, page: Page): Promise<(data: string) => Promise<void>> {
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

/** The notifications that the browser shows now. */
function shown(page: Page) {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/')
    const notifications = (await registration?.getNotifications()) ?? []
    return notifications.map(({ title, body, tag, lang, data }) => ({ title, body, tag, lang, data }))
  })
}

/**
 * Taps the one notification, as far as nobody's finger can do it: the worker is told of the tap. A browser opens a window
 * for a real finger only, so what the worker asks for is written down instead. @returns the addresses that it asked for.
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
    const asked: string[] = []
    // No window shows exactly this, so none is focused instead.
    Object.assign(self.clients, { matchAll: async () => [], openWindow: async (url: string) => void asked.push(url) })
    const event = new self.NotificationEvent('notificationclick', { notification })
    let work: unknown
    // Only an event of the browser's own can be prolonged.
    Object.defineProperty(event, 'waitUntil', { value: (promise: unknown) => (work = promise) })
    self.dispatchEvent(event)
    await work
    return asked
  })
}

async function setAlert(page: Page, locale: Locale, price: string, direction?: string): Promise<void> {
  const t = textsOf(locale)
  const sheet = page.getByRole('dialog')
  if (direction) await sheet.getByRole('radio', { name: t(direction), exact: true }).click()
  await sheet.getByRole('textbox', { name: `ETHUSDT · ${t('alert_price')}` }).fill(price)
  await sheet.getByRole('button', { name: t('alert_set') }).click()
  await expect(sheet.getByText(t('alert_none'))).toHaveCount(0)
}

async function setPrice(page: Page, price: string): Promise<void> {
  const answer = await page.request.post('/api/Local/price', { form: { symbol: 'ETHUSDT', price } })
  expect((await answer.json()).code).toBe(1)
}
