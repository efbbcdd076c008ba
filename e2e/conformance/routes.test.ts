import { newPhone } from '../people.ts'
import { SCREENS, type ScreenPath } from '../screens.ts'
import { stepsOf } from '../steps.ts'
import type { Locale } from '../texts.ts'
import { expect, removeUnloadedChunks, row, rowsWhere, sharing, test, titleOf } from './fixtures.ts'

const LOCALES: readonly Locale[] = ['zh-HK', 'en']

for (const each of rowsWhere('route')) {
  test(titleOf(each), async ({ visitor: { page } }) => {
    for (const locale of LOCALES) {
      const { open, t } = stepsOf(page, locale)
      await open(each.route)
      // A market's title is its pair.
      const heading = each.route.startsWith('/markets/') ? 'BNB/USDT' : t(headingOf(each.route))
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeAttached()
      await expect(page.locator('html')).toHaveAttribute('lang', locale)
      // A screen that fails below its title shows the title too.
      await expect(
        page.getByRole('main').getByRole('link').or(page.getByRole('main').getByRole('button')).first(),
      ).toBeVisible()
      await expect(page.getByText('500', { exact: true })).toHaveCount(0)
    }
  })
}

for (const each of rowsWhere('label')) {
  test(titleOf(each), async ({ visitor, newcomer }) => {
    const { key, text, to } = each.label
    expect(visitor.steps.t(key)).toBe(text)
    // Only the menu of a visitor has Connect.
    const { page, steps } = text === 'Connect' ? visitor : newcomer
    // Each label leads away from the screen of the one before it. Only the first may be there already.
    if (new URL(page.url()).hash.replace(/^#\/en\/?/, '/') === to) await page.goto('/#/en/stake/lend/orders')
    const tabs = page.getByRole('navigation', { name: steps.t('nav_main') })
    const menu = page.getByRole('dialog')
    if (text !== 'Stake') await steps.button('nav_menu').click()
    if (to !== undefined) {
      await (text === 'Stake' ? tabs : menu).getByRole('link', { name: text, exact: true }).click()
      await expect(page).toHaveURL(new RegExp(`#/en${to === '/' ? '/?' : to}$`))
    } else if (text === 'Connect') {
      await menu.getByRole('button', { name: text, exact: true }).click()
      await expect(page.getByRole('dialog', { name: steps.t('connector_choose') })).toBeVisible()
      await page.keyboard.press('Escape')
    } else {
      await expect(menu.getByText(text, { exact: true }).first()).toBeVisible()
      await page.keyboard.press('Escape')
    }
    await expect(menu).toHaveCount(0)
  })
}

test(row('1.01'), async ({ browser }) => {
  const context = await newPhone(browser, 'zh-HK')
  const page = await context.newPage()
  await page.goto('/')
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-HK')
  await expect(page.getByRole('navigation', { name: stepsOf(page, 'zh-HK').t('nav_main') })).toBeVisible()
  expect(new URL(page.url()).hash).not.toMatch(/^#\/en/)
  await context.close()
})

test(row('1.02'), async ({ visitor: { page, steps } }) => {
  await page.goto('/#/en/language')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(steps.t('nav_language'))
})

test(row('1.17'), async ({ visitor: { page, steps } }) => {
  await steps.open('/white')
  await expect(page.getByRole('heading', { level: 1, name: steps.t('nav_whitepaper') })).toBeVisible()
  const article = page.getByRole('article')
  const sections = page.getByRole('navigation', { name: steps.t('white_contents') }).getByRole('link')
  await expect(sections).not.toHaveCount(0)
  for (const name of (await sections.allInnerTexts()).map((text) => text.replace(/^\d+\s*/, '')))
    await expect(article.getByRole('heading', { level: 2, name, exact: true })).toBeVisible()
})

test(row('1.18'), async ({ visitor: { page } }) => {
  await page.goto('/#/en/ranks')
  await expect(page).toHaveTitle('Clearwell')
  await page.goto('/#/ranks')
  await expect(page).toHaveTitle('明池')
})

test(row('1.19'), async ({ browser }) => {
  const context = await newPhone(browser, 'en', { viewport: { width: 1200, height: 800 }, isMobile: false })
  const page = await context.newPage()
  await page.goto('/')
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark')
  const main = page.getByRole('main')
  await expect.poll(async () => (await main.boundingBox())?.width).toBeLessThanOrEqual(430)
  await context.close()
})

test(row('2.38'), async ({ visitor: { page, steps } }) => {
  await page.goto('/#/en')
  await steps.tab('nav_wallet')
  await expect(page).toHaveURL(/\/#\/en\/wallet$/)
  expect(new URL(page.url()).pathname).toBe('/')
})

test(row('2.39'), async ({ visitor: { page, steps } }) => {
  await page.goto('/#/en/markets/ETHUSDT')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('ETH/USDT')
  for (const { path } of SCREENS) {
    if (path === '/' || path.startsWith('/markets/')) continue
    await steps.open(`${path}/more`)
    await expect(page.getByRole('alert').getByText('404')).toBeVisible()
  }
  await steps.open('/markets/NOSUCHPAIR')
  await expect(page.getByRole('alert').getByText('404')).toBeVisible()
})

for (const [id, flow] of sharing('2.40', '8.15')) {
  test(row(id), async ({ visitor: { page } }) =>
    flow(async () => {
      await page.goto('/#/en/no/such/page')
      await expect(page.getByRole('alert')).toContainText('Page not found: /en/no/such/page')
      await page.goto('/#/no/such/page')
      await expect(page.getByRole('alert')).toContainText('找不到頁面：/no/such/page')
    }),
  )
}

test(row('2.42'), async ({ visitor: { page } }) => {
  await page.goto('/#/en/no/such/page')
  const error = page.getByRole('alert')
  await expect(error.getByRole('heading', { name: 'Page Not Found', exact: true })).toBeVisible()
  await expect(error.getByText('404', { exact: true })).toBeVisible()
})

for (const [id, flow] of sharing('2.41', '2.43', '2.44', '8.16')) {
  test(row(id), async ({ browser }) =>
    flow(async () => {
      const context = await newPhone(browser)
      const page = await context.newPage()
      // The code of the screen never loads: the app reloads once, then shows the error page.
      await removeUnloadedChunks(page)
      const reloaded = page.waitForEvent('load')
      await page.goto('/#/en/language')
      await reloaded
      for (const shown of ['500', 'Internal Server Error', /^Failed to fetch dynamically imported module: /])
        await expect(page.getByRole('alert').getByText(shown, { exact: true })).toBeVisible()
      await context.close()
    }),
  )
}

test(row('2.45'), async ({ visitor: { page } }) => {
  await page.goto('/#/en/white')
  const main = page.getByRole('main')
  // The previous screen has a main element, too, until this one replaces it.
  await expect(main.getByRole('heading', { level: 1, name: 'Whitepaper' })).toBeVisible()
  await page.setViewportSize({ width: 1000, height: 800 })
  const box = await main.boundingBox()
  await page.setViewportSize({ width: 390, height: 844 })
  expect(box?.width).toBeLessThanOrEqual(430)
  // Centred on a dark background.
  expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) / 2 - 500)).toBeLessThan(10)
  await expect(page.locator('html')).toHaveAttribute('data-mode', 'dark')
  const [red, green, blue] = (await page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d')
    if (!canvas) return []
    canvas.fillStyle = getComputedStyle(document.querySelector('main')?.parentElement ?? document.body).backgroundColor
    canvas.fillRect(0, 0, 1, 1)
    const behind = getComputedStyle(document.body).backgroundColor
    if (canvas.getImageData(0, 0, 1, 1).data[3] === 0) canvas.fillStyle = behind
    canvas.fillRect(0, 0, 1, 1)
    return [...canvas.getImageData(0, 0, 1, 1).data]
  })) as [number, number, number]
  expect(red + green + blue).toBeLessThan(3 * 64)
})

function headingOf(path: ScreenPath): string {
  const screen = SCREENS.find((each) => each.path === path)
  if (!screen) throw new Error(`no screen ${path}`)
  return screen.heading
}
