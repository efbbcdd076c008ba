import { expect, type Page, test } from '@playwright/test'
import { preventUserActivation } from '../conformance/fixtures.ts'
import { pauseClock } from '../page-time.ts'
import { installWallet, WALLET_NAME } from '../signing-wallet.ts'
import { stepsOf } from '../steps.ts'
import { localesOf, offlineText, textsOf } from '../texts.ts'

test.use({ locale: 'en-GB' })

test('figures stay visible offline and refresh when the network returns', async ({ page, context }) => {
  const { open, t } = stepsOf(page, 'en')
  await open('/')
  const pair = page.getByRole('main').getByRole('link', { name: /BNB/ }).first()
  await expect(pair).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByText(offlineText(t))).toBeVisible()
  await expect(pair).toBeVisible()
  // By the stream, or by polling without one.
  const back = page.waitForResponse(/\/api\/(stream\?channels=pairs|SwapPool\/pairs$)/)
  await context.setOffline(false)
  await back
  await expect(page.getByText(offlineText(t))).toHaveCount(0)
  await expect(pair).toBeVisible()
})

test('the font is preloaded, and neither the first paint nor the layout waits for it', async ({ page }) => {
  const fonts: string[] = []
  let deliver = () => {}
  const isPainted = new Promise<void>((resolve) => {
    deliver = resolve
  })
  await page.route('**/*.woff2', async (route) => {
    fonts.push(new URL(route.request().url()).pathname)
    await isPainted
    await route.continue()
  })
  await page.goto('/en', { waitUntil: 'commit' })
  const paints = () => page.evaluate(() => performance.getEntriesByName('first-contentful-paint').length)
  // The font is held back until this paint is seen.
  await expect.poll(paints).toBe(1)
  expect(await page.locator('link[rel=preload][as=font]').getAttribute('href')).toMatch(/^\/assets\/.*\.woff2$/)
  deliver()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('clearwell.font'))).toBe('1')
  // The open screen keeps its font; the next one has Inter.
  const html = page.locator('html')
  await expect(html).not.toHaveAttribute('data-font')
  await stepsOf(page, 'en').tab('nav_stake')
  await expect(html).toHaveAttribute('data-font', '')
  expect(fonts).toHaveLength(1)
})

test('a failed first load shows an error and a retry', async ({ page }) => {
  const { open, button } = stepsOf(page, 'en')
  await page.clock.install()
  await page.route('**/api/SwapPool/pairs', (route) => route.abort())
  await open('/swap/exchange')
  // Three retries, after 1, 2 and 4 s.
  await expect(async () => {
    await page.clock.runFor(1_000)
    await expect(button('app_retry')).toBeVisible({ timeout: 300 })
  }).toPass()
  // The press comes before the next attempt of the app.
  await pauseClock(page)
  await page.unroute('**/api/SwapPool/pairs')
  await button('app_retry').click()
  await page.clock.resume()
  await expect(page.getByRole('textbox', { name: 'Sell', exact: true })).toBeVisible()
})

test('the screen and the session recover automatically after an outage', async ({ page }) => {
  await installWallet(page)
  const { open, signIn, t } = stepsOf(page, 'en')
  await open('/swap/exchange')
  await signIn(WALLET_NAME)
  let isAway = true
  await page.route('**/api/**', (route) => (isAway ? route.fulfill({ status: 502, body: 'away' }) : route.continue()))
  await page.reload()
  await expect(page.getByRole('main').getByRole('button', { name: t('app_retry') })).toBeVisible()
  await expect(accountButton(page)).toBeVisible()
  isAway = false
  await expect(page.getByRole('textbox', { name: t('swap_sell'), exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(accountButton(page)).toBeVisible()
})

test('home works on slow 3G without a premature timeout', async ({ page, context }) => {
  test.slow()
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 400_000 / 8,
    uploadThroughput: 400_000 / 8,
  })
  const { open, t, tab } = stepsOf(page, 'en')
  await open('/')
  // Home is visible before the app has loaded, and the touch is not lost.
  await expect(page.getByRole('navigation', { name: t('nav_main') })).toBeVisible()
  await tab('nav_wallet')
  await expect(page.getByRole('heading', { level: 1, name: t('nav_my_wallet') })).toBeVisible({ timeout: 30_000 })
  await tab('nav_home')
  await expect(page.getByRole('main').getByRole('link', { name: /BNB/ }).first()).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText(t('app_no_response'))).toHaveCount(0)
})

for (const [when, isEarly] of [
  ['', false],
  [', pressed before the app has loaded', true],
] as const)
  test(`Connect is busy until its code has come${when}`, async ({ page }) => {
    const app = Promise.withResolvers<void>()
    const signIn = Promise.withResolvers<void>()
    if (!isEarly) app.resolve()
    await page.route('**/assets/*.js', async (route) => {
      const response = await route.fetch()
      await app.promise
      // The code of the sign-in, whose file has a name without a meaning.
      if ((await response.text()).includes('device_type')) await signIn.promise
      await route.fulfill({ response })
    })
    const isMounted = await followMounting(page)
    const { open, t } = stepsOf(page, 'en')
    await open('/')
    const connect = page.getByRole('main').getByRole('button', { name: t('nav_connect') })
    if (!isEarly) await isMounted()
    await connect.click()
    app.resolve()
    await isMounted()
    await expect(connect).toHaveAttribute('aria-busy', 'true')
    await expect(connect).toHaveAttribute('aria-disabled', 'true')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    signIn.resolve()
    await expect(page.getByRole('dialog', { name: t('connector_choose') })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(connect).not.toHaveAttribute('aria-busy')
    // A file may be on its way when the test ends.
    await page.unrouteAll({ behavior: 'wait' })
  })

test('signing in or out in one tab updates the other', async ({ context }) => {
  await installWallet(context)
  const [first, second] = [await context.newPage(), await context.newPage()]
  const steps = stepsOf(first, 'en')
  await steps.open('/')
  await stepsOf(second, 'en').open('/wallet')
  await expect(connectButton(second)).toBeVisible()
  await steps.signIn(WALLET_NAME)
  await expect(accountButton(second)).toBeVisible()
  await steps.signOut()
  await expect(connectButton(second)).toBeVisible()
  expect(await second.evaluate(() => localStorage.getItem('clearwell.token'))).toBeNull()
})

test('a newer build loads after signing, at the next navigation', async ({ page }) => {
  const wallet = await installWallet(page)
  await page.clock.install()
  const { open, t, signIn, button, tab, takeTestTokens } = stepsOf(page, 'en')
  const newer = { id: 'newer', builtAt: '2030-01-01T00:00:00.000Z' }
  await open('/')
  await signIn(WALLET_NAME)
  await takeTestTokens()
  await page.route('**/builds/latest.json', (route) => route.fulfill({ json: newer }))
  await page.route('**/builds/meta/newer.json', (route) => route.fulfill({ json: newer }))
  await open('/swap/activate')
  const refuse = wallet.hold('eth_sendTransaction')
  await button('activation_by_wallet_action').click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('payment_open_wallet') })
    .click()
  await expect.poll(() => wallet.requests.some(({ method }) => method === 'eth_sendTransaction')).toBe(true)
  const described = page.waitForResponse('**/builds/meta/newer.json')
  await page.clock.runFor(61_000)
  await described
  await page.evaluate(() => Object.assign(window, { stillTheSame: true }))
  await tab('nav_wallet')
  await expect(page.getByRole('heading', { level: 1, name: t('nav_my_wallet') })).toBeVisible()
  expect(await page.evaluate(() => 'stillTheSame' in window)).toBe(true)
  wallet.refuse('eth_sendTransaction')
  refuse()
  await expect(async () => {
    await tab('nav_home')
    await tab('nav_wallet')
    expect(await page.evaluate(() => 'stillTheSame' in window)).toBe(false)
  }).toPass()
})

for (const language of localesOf('zh-HK'))
  test(`hydration keeps the prerendered home unchanged (${language})`, async ({ browser }) => {
    const t = textsOf(language)
    const context = await browser.newContext({ locale: language })
    const page = await context.newPage()
    // Otherwise the stream may open first, and a network with an open stream is never idle.
    await preventUserActivation(page)
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(String(error)))
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    const isMounted = await followMounting(page)
    await page.addInitScript(() => {
      addEventListener('DOMContentLoaded', () => {
        // A sample of what is loading cannot be tapped, and goes with the response.
        const elements = [...document.querySelectorAll('#app :is(a, button, h1):not([inert] *)')]
        const places = elements.map((element) => element.getBoundingClientRect())
        Object.assign(window, { prerendered: elements, places })
      })
    })
    await page.goto('/')
    await isMounted()
    const kept = await page.evaluate(() =>
      (window as unknown as { prerendered: Element[] }).prerendered.map((element) => element.isConnected),
    )
    expect(kept.length).toBeGreaterThan(10)
    expect(kept).not.toContain(false)
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await expect(
      page.getByRole('banner').getByTitle(t('app_network_on', { name: t('app_network_local') })),
    ).toBeVisible()
    await page.waitForLoadState('networkidle')
    const moved = await page.evaluate(() => {
      const { prerendered, places } = window as unknown as { prerendered: Element[]; places: DOMRect[] }
      return prerendered.flatMap((element, index) => {
        const [before, now] = [places[index], element.getBoundingClientRect()]
        return before?.x === now.x && before.y === now.y ? [] : [element.textContent]
      })
    })
    // React reports a hydration mismatch in the errors.
    expect({ errors, moved }, 'what is tapped does not move away under the finger').toEqual({ errors: [], moved: [] })
    await context.close()
  })

test('a navigation while the app mounts is not lost', async ({ page }) => {
  await page.addInitScript(() => {
    const listen = window.addEventListener
    // The router listens to the address from its creation; then it loads the code of the first screen.
    window.addEventListener = function add(this: Window, ...args: Parameters<typeof listen>) {
      if (args[0] === 'popstate' && location.hash === '#/en')
        setTimeout(() => setTimeout(() => location.assign('#/en/white')))
      return listen.apply(this, args)
    } as typeof listen
  })
  await page.goto('/#/en')
  await expect(page.getByRole('heading', { level: 1, name: 'Whitepaper' })).toBeVisible()
})

test('the app keeps the page where it was scrolled before it mounted', async ({ page }) => {
  let go: () => void = () => {}
  const held = new Promise<void>((resolve) => (go = resolve))
  await page.route(/\/assets\/.*\.js/, async (route) => {
    await held
    await route.continue()
  })
  const isMounted = await followMounting(page)
  await page.setViewportSize({ width: 390, height: 500 })
  // On a busy machine the chunks are asked for before the load event, which then waits for them.
  await page.goto('/#/en', { waitUntil: 'domcontentloaded' })
  await page.evaluate(() => scrollTo(0, 200))
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(200)
  go()
  await isMounted()
  // The reset came with the next frames.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  expect(await page.evaluate(() => scrollY)).toBe(200)

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Swap' }).click()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
})

test('the colour mode is right before the app loads', async ({ page }) => {
  // Left pending, since a failed script would reload the page.
  await page.route(/\/assets\/.*\.js/, () => {})
  for (const mode of ['light', 'dark']) {
    await page.addInitScript((value) => localStorage.setItem('clearwell.mode', value), mode)
    await page.goto('/', { waitUntil: 'domcontentloaded' })
    await expect(page.locator('html')).toHaveAttribute('data-mode', mode)
    const ground = await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
    expect(ground).toContain(mode)
  }
})

/** Call it before the page is opened. @returns a function that waits until the app has mounted over the prerendered page. */
async function followMounting(page: Page): Promise<() => Promise<unknown>> {
  await page.addInitScript(() =>
    addEventListener('clearwell:mounted', () => Object.assign(window, { mounted: true }), { capture: true }),
  )
  return () => page.waitForFunction(() => 'mounted' in window)
}

function connectButton(page: Page) {
  return page.getByRole('button', { name: 'Connect', exact: true }).first()
}

function accountButton(page: Page) {
  return page.getByRole('banner').getByRole('button', { name: 'My account' })
}
