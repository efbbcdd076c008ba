import { expect, type Page, test } from '@playwright/test'
import { newHolder } from '../people.ts'
import { WALLET_NAME } from '../signing-wallet.ts'
import { offlineText, textsOf } from '../texts.ts'
import { newTrader } from '../trader.ts'

test.use({ serviceWorkers: 'allow' })

const AS_OF = offlineText(textsOf('en'))

test('the app opens offline with its last figures, until the user signs out', async ({ browser }) => {
  const { key } = await newTrader({ USDT: '410' })
  const { page, steps } = await newHolder(browser, { key })
  const { t, tab, open, signIn, signOut } = steps
  const context = page.context()
  await open('/')
  await signIn(WALLET_NAME)
  const total = page.getByRole('region', { name: t('wallet_total') }).locator('.text-total')
  await expect(total).toContainText('400')
  await workerIsReady(page)
  await context.setOffline(true)
  await expect(page.getByText(AS_OF)).toBeVisible()
  await expect.poll(() => keptOwners(page)).toHaveLength(1)

  await test.step('a reload shows the shell and the same total', async () => {
    await page.reload()
    await expect(page.getByText(AS_OF)).toBeVisible()
    await expect(total).toContainText('400')
    await expect(page.getByText('500', { exact: true })).toHaveCount(0)
  })

  await test.step('a screen of another visit opens too', async () => {
    await tab('nav_wallet')
    await expect(page.getByRole('heading', { level: 1, name: t('nav_my_wallet') })).toBeVisible()
    await expect(page.getByText(AS_OF)).toBeVisible()
  })

  await test.step('the figures go with the session', async () => {
    await signOut()
    await expect.poll(() => keptOwners(page)).toEqual([])
    await page.reload()
    await expect(page.getByRole('button', { name: t('nav_connect'), exact: true }).first()).toBeVisible()
    await expect(total).toHaveCount(0)
  })
  await context.close()
})

test('the worker keeps neither calls nor the files that name the newest build', async ({ browser }) => {
  const { page, steps } = await newHolder(browser)
  await steps.open('/white')
  // A touch: until then the page loads nothing more.
  await page.getByRole('heading', { level: 1 }).click()
  await workerIsReady(page)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Whitepaper' })).toBeVisible()
  const kept = await page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(kept).toContain('/')
  expect(kept.filter((path) => !/^\/(assets\/.+|icons\/.+|en|kept-figures|)$/.test(path))).toEqual([])
  await page.context().close()
})

/** Waits until the worker has kept the shell, and a later load is its own. */
async function workerIsReady(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
}

/** The owners of the figures on the device. Those of a visitor, which a page keeps after it signed out, have none. */
function keptOwners(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const kept = await caches.match('/kept-figures')
    const { owner } = kept ? ((await kept.json()) as { owner: string }) : { owner: '' }
    return owner === '' ? [] : [owner]
  })
}
