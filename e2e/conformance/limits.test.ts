import type { Browser, Page } from '@playwright/test'
import { controlPageTime, type PageTime, pauseClock } from '../page-time.ts'
import { newPhone } from '../people.ts'
import { expect, removeUnloadedChunks, row, sharing, test, withoutStream } from './fixtures.ts'

for (const [id, screen, path, everyMs] of [
  ['9.05', '/en/swap/exchange', '/SwapPool/pairs', 3_000],
  ['9.07', '/en/markets/BNBUSDT', '/spot/ticker', 1_500],
] as const) {
  test(row(id), async ({ browser }) => {
    const page = await openPollingPage(browser)
    const time = await controlPageTime(page)
    await page.goto(`/#${screen}`)
    await expectPoll(time, path, everyMs)
    await page.context().close()
  })
}

test(row('9.04'), async ({ newcomer: { page: signedIn } }) => {
  // A page with a stopped clock shares the newcomer's session.
  const page = await signedIn.context().newPage()
  await withoutStream(page)
  const time = await controlPageTime(page)
  await page.goto('/#/en/swap/activate')
  await expectPoll(time, '/SwapPool/getActiveStatus', 4_000)
  // The clock belongs to the context, which the newcomer still uses.
  await page.clock.resume()
  await page.close()
})

test(row('9.06'), async ({ browser }) => {
  const page = await openPollingPage(browser)
  const time = await controlPageTime(page)
  await page.goto('/#/en/swap/exchange')
  await page.getByRole('textbox', { name: 'Sell', exact: true }).fill('1')
  const quotes = () => time.countResponses('/SwapPool/getQuote')
  await expect.poll(quotes).toBeGreaterThan(0)
  await time.stop()
  await runUntilResponse(time, '/SwapPool/pairs', 3_500)
  const before = await quotes()
  await time.runFor(400)
  expect(await quotes()).toBe(before)
  await time.runFor(200)
  expect(await quotes()).toBe(before + 1)
  await page.context().close()
})

const REJECTED = 'You rejected this request in your wallet'

for (const [id, flow] of sharing('9.31', '9.33')) {
  test(id === '9.33' ? `${row(id)}, of a toast` : row(id), async ({ browser }) =>
    flow(async () => {
      const page = await openPollingPage(browser)
      await page.clock.install()
      await page.addInitScript((text) => {
        // Measured by the page's clock, so that the time of the checks does not count.
        const seen = { fromMs: 0, toMs: 0, layers: [] as string[] }
        Object.assign(window, { toastSeen: seen })
        new MutationObserver(() => {
          const isThere = document.body?.textContent?.includes(text) === true
          if (isThere && seen.fromMs === 0) {
            seen.fromMs = Date.now()
            // The toast and all that contains it.
            for (const element of document.querySelectorAll('*'))
              if (element.textContent?.includes(text)) seen.layers.push(getComputedStyle(element).zIndex)
          }
          if (!isThere && seen.fromMs > 0 && seen.toMs === 0) seen.toMs = Date.now()
        }).observe(document, { childList: true, subtree: true })
        const detail = {
          info: {
            uuid: crypto.randomUUID(),
            name: 'Refusing wallet',
            icon: 'data:image/svg+xml,',
            rdns: 'test.refusing',
          },
          provider: {
            request: async () => Promise.reject(Object.assign(new Error('no'), { code: 4001 })),
            on() {},
            removeListener() {},
          },
        }
        addEventListener('eip6963:requestProvider', () =>
          dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze(detail) })),
        )
      }, REJECTED)
      await page.goto('/#/en')
      await page.getByRole('button', { name: 'Connect', exact: true }).first().click()
      const refusing = page.getByRole('dialog').getByRole('button', { name: 'Refusing wallet' })
      await refusing.waitFor()
      // A busy machine would draw the end of the toast late.
      await pauseClock(page)
      await refusing.click()
      const toast = page.getByText(REJECTED, { exact: false })
      await expect(async () => {
        await page.clock.runFor(100)
        await expect(toast).toBeVisible({ timeout: 300 })
      }).toPass()
      await expect(async () => {
        await page.clock.runFor(100)
        expect(await toast.count()).toBe(0)
      }).toPass({ intervals: [200] })
      const { fromMs, toMs, layers } = await page.evaluate(
        () => (window as unknown as { toastSeen: { fromMs: number; toMs: number; layers: string[] } }).toastSeen,
      )
      expect(layers).toContain('66')
      const stayedMs = toMs - fromMs
      expect(stayedMs).toBeGreaterThanOrEqual(1_900)
      expect(stayedMs).toBeLessThan(3_000)
      await page.context().close()
    }),
  )
}

test(row('9.32'), async ({ visitor: { page } }) => {
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await layersOf(page, '[role=dialog]')).toContain('2000')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test(row('9.33'), async ({ newcomer: { page, steps } }) => {
  await page.route('**/api/Local/faucet', (route) => route.fulfill({ json: { code: 20010, msg: 'No', data: null } }))
  await steps.open('/wallet')
  await steps.button('wallet_faucet').click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  expect(await layersOf(page, '[role=alertdialog]')).toContain('66')
  await page.keyboard.press('Escape')
  await page.unroute('**/api/Local/faucet')
})

test(row('9.34'), async ({ newcomer: { page: signedIn } }) => {
  const page = await signedIn.context().newPage()
  await page.clock.install()
  await signedIn.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/#/en')
  await page.getByRole('banner').getByRole('button', { name: 'My account' }).click()
  const dialog = page.getByRole('dialog')
  const copy = dialog.getByRole('button', { name: 'Copy address' })
  await copy.waitFor()
  await pauseClock(page)
  await copy.click()
  const copied = dialog.getByRole('button', { name: 'Copied' })
  await expect(copied).toBeVisible()
  await page.clock.runFor(1_400)
  await expect(copied).toBeVisible()
  await page.clock.runFor(200)
  await expect(copied).toHaveCount(0)
  await page.clock.resume()
  await page.close()
})

test(row('8.17'), async ({ browser }) => {
  const context = await newPhone(browser)
  const page = await context.newPage()
  await removeUnloadedChunks(page, 1)
  const reloaded = page.waitForEvent('load')
  await page.goto('/#/en/language')
  await reloaded
  await expect(page.getByRole('heading', { level: 1, name: 'Language' })).toBeVisible()
  await context.close()
})

test(`${row('8.17')}, of a sheet`, async ({ browser }) => {
  const context = await newPhone(browser)
  const page = await context.newPage()
  await removeUnloadedChunks(page, 1)
  const reloaded = page.waitForEvent('load')
  // Opens a sheet on the same path.
  await page.getByRole('button', { name: 'Connect', exact: true }).first().click()
  await reloaded
  await page.getByRole('button', { name: 'Connect', exact: true }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await context.close()
})

test(row('8.18'), async ({ browser }) => {
  const context = await newPhone(browser)
  const page = await context.newPage()
  await removeUnloadedChunks(page)
  let loads = 0
  page.on('load', () => {
    loads += 1
  })
  const reloaded = page.waitForEvent('load')
  await page.goto('/#/en/language')
  await reloaded
  await expect(page.getByRole('alert').getByText('Internal Server Error')).toBeVisible()
  expect(loads).toBe(1)
  await context.close()
})

/** Opens a page without a stream, which polls as specified. */
async function openPollingPage(browser: Browser): Promise<Page> {
  const page = await (await newPhone(browser)).newPage()
  await withoutStream(page)
  return page
}

/** Runs the clock until the next response. */
async function runUntilResponse(time: PageTime, path: string, atMostMs: number): Promise<void> {
  const before = await time.countResponses(path)
  for (let ms = 0; ms < atMostMs && (await time.countResponses(path)) === before; ms += 100) await time.runFor(100)
  expect(await time.countResponses(path)).toBe(before + 1)
}

/** Checks for one response per interval, over three intervals. */
async function expectPoll(time: PageTime, path: string, everyMs: number): Promise<void> {
  await expect.poll(() => time.countResponses(path)).toBeGreaterThan(0)
  await time.stop()
  await runUntilResponse(time, path, everyMs + 200)
  for (let round = 0; round < 3; round += 1) {
    const before = await time.countResponses(path)
    await time.runFor(everyMs - 300)
    expect(await time.countResponses(path)).toBe(before)
    await time.runFor(300)
    expect(await time.countResponses(path)).toBe(before + 1)
  }
}

/** The z-index of an element and of its ancestors. */
function layersOf(page: Page, selector: string): Promise<string[]> {
  return page.locator(selector).evaluate((element) => {
    const layers = []
    for (let at: Element | null = element; at; at = at.parentElement) layers.push(getComputedStyle(at).zIndex)
    return layers
  })
}
