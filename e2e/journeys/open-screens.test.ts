import { expect, type Page, test } from '@playwright/test'
import { changeReplies } from '../change-replies.ts'
import { preventUserActivation } from '../conformance/fixtures.ts'
import { newHolder, newPhone } from '../people.ts'
import { stepsOf } from '../steps.ts'
import { openTrading } from '../swapping.ts'
import { type Locale, textsOf } from '../texts.ts'

test('switching the language keeps the typed form', async ({ browser }) => {
  const user = await newHolder(browser)
  const { page } = user
  const [zh, en] = [textsOf('zh-HK'), textsOf('en')]
  const main = page.getByRole('main')
  const network = page.getByRole('banner')
  await user.openSignedIn('/swap/exchange?pair=ETHUSDT')
  await page.getByRole('textbox', { name: en('swap_buy'), exact: true }).fill('12.5')
  await expect(network).toContainText('Local chain')

  const switchTo = page.getByRole('banner').getByRole('button', { name: en('app_language_switch') })
  await switchTo.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-HK')
  const buy = page.getByRole('textbox', { name: zh('swap_buy'), exact: true })
  await expect(buy).toHaveValue('12.5')
  await expect(main.getByRole('heading', { level: 1, name: zh('nav_swap') })).toBeVisible()
  await expect(page.getByRole('navigation', { name: zh('nav_main') })).toContainText(zh('nav_wallet'))
  await expect(network).toContainText(zh('app_network_local'))
  await expect(network).not.toContainText('Local chain')
  // No text of the other language remains.
  await expect.poll(() => foreignLines(page, 'zh-HK')).toEqual([])
  const back = page.getByRole('banner').getByRole('button', { name: zh('app_language_switch') })
  await expect(back).toBeFocused()
  await page.goto('/#/wallet/sell?asset=USDT')
  const amount = page.getByRole('textbox', { name: zh('wallet_amount'), exact: true })
  await amount.fill('7.25')
  await back.click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await expect(page.getByRole('textbox', { name: en('wallet_amount'), exact: true })).toHaveValue('7.25')
  await expect.poll(() => foreignLines(page, 'en')).toEqual([])
  await page.context().close()
})

test('header and tabs keep their places between one and two columns', async ({ browser }) => {
  const context = await newPhone(browser, 'en', { viewport: { width: 1440, height: 900 }, isMobile: false })
  const page = await context.newPage()
  const { t, open } = stepsOf(page, 'en')
  const placesOn = async (path: string, heading: string) => {
    await open(path)
    await expect(page.getByRole('heading', { level: 1, name: t(heading) })).toBeVisible()
    const main = (await page.getByRole('main').boundingBox())?.width ?? 0
    const shown = [
      page.getByRole('banner').getByRole('button', { name: t('nav_menu') }),
      page.getByRole('banner').getByRole('button', { name: t('nav_connect') }),
      ...(await page
        .getByRole('navigation', { name: t('nav_main') })
        .getByRole('link')
        .all()),
    ]
    const boxes = await Promise.all(shown.map((each) => each.boundingBox()))
    // Their right edges: a button is as wide as its text, whose font comes while one looks.
    return { isWide: main > 430, places: boxes.map((box) => box && [box.x + box.width, box.y]) }
  }
  const [one, two] = [await placesOn('/ranks', 'nav_rankings'), await placesOn('/stake', 'nav_staking')]
  expect([one.isWide, two.isWide, two.places]).toEqual([false, true, one.places])
  expect(one.places).toHaveLength(7)
  await context.close()
})

test('a market without loans stays as wide as its sample', async ({ browser }) => {
  const context = await newPhone(browser, 'en', { viewport: { width: 1440, height: 900 }, isMobile: false })
  const page = await context.newPage()
  const { t, open } = stepsOf(page, 'en')
  const answered = Promise.withResolvers<void>()
  await page.route('**/api/Stake/liquidations*', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    json.data.items = []
    await answered.promise
    await route.fulfill({ response, json })
  })
  await open('/stake/liquidate')
  await expect(page.getByRole('radio', { name: t('liquidation_sort_debt') })).toBeVisible()
  const place = () => page.getByRole('main').boundingBox()
  const sample = await place()
  answered.resolve()
  await expect(page.getByText(t('liquidation_empty'), { exact: true })).toBeVisible()
  expect([await place().then((box) => box?.width), await place().then((box) => box?.x)]).toEqual([
    sample?.width,
    sample?.x,
  ])
  expect(sample?.width).toBeGreaterThan(430)
  await page.unrouteAll({ behavior: 'wait' })
  await context.close()
})

test('the value chart keeps its latest point when the screen narrows', async ({ browser }) => {
  const { page, steps } = await openTrading(browser, 'en')
  // A new account has too little history for a curve.
  await changeReplies(page, '**/api/Wallet/summary', (reply) => {
    for (const [index, point] of reply.data.history.entries()) point.value_usdt = String(400 + index)
    return reply
  })
  await steps.open('/wallet/summary')
  const chart = page.getByRole('slider')
  await chart.scrollIntoViewIfNeeded()
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    await expect(async () => {
      const box = await chart.boundingBox()
      if (!box) throw new Error('the chart is not visible')
      await page.mouse.move(0, 0)
      await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2)
      // The readout names the point under the pointer, instead of the lowest and highest value.
      const readout = page.getByRole('figure').locator('p').first()
      await expect(readout).not.toContainText(steps.t('ui_chart_lowest'), { timeout: 1_000 })
      const latest = (await chart.getAttribute('aria-valuemax')) ?? ''
      await expect(chart).toHaveAttribute('aria-valuenow', latest, { timeout: 1_000 })
    }).toPass()
  }
  await page.context().close()
})

test('a screen that cannot load says why, and opens when it can', async ({ browser }) => {
  const context = await newPhone(browser)
  const page = await context.newPage()
  // Otherwise the stream may open first, and a network with an open stream is never idle.
  await preventUserActivation(page)
  const { t, open } = stepsOf(page, 'en')
  await open('/')
  await expect(page.getByRole('region', { name: t('market_list') })).toContainText('ETH')
  await page.waitForLoadState('networkidle')
  await page.route('**/*', (route) => route.abort('connectionrefused'))
  await page.evaluate(() => location.assign('#/en/language'))
  const away = page.getByRole('alert').filter({ has: page.getByRole('heading', { level: 1 }) })
  await expect(away.getByRole('heading', { level: 1 })).toHaveText(t('app_away_title'))
  await expect(away).toContainText(t('app_away_text'))
  await expect(page.getByRole('navigation', { name: t('nav_main') })).toBeVisible()
  await page.unroute('**/*')
  await expect(page.getByRole('heading', { level: 1, name: t('nav_language') })).toBeVisible()
  await context.close()
})

/** Finds lines in another language than the page's. Names are the same in both. */
function foreignLines(page: Page, language: Locale): Promise<string[]> {
  return page.evaluate((shown) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const lines: string[] = []
    while (texts.nextNode()) {
      const { parentElement: parent, textContent } = texts.currentNode
      // The language button names the other language in its own script.
      const isSeen = parent?.checkVisibility() && !parent.closest('[lang]:not(html)')
      if (isSeen && textContent) lines.push(textContent.trim())
    }
    const isChinese = (text: string) => /\p{Script=Han}/u.test(text)
    const isEnglish = (text: string) => /\b[a-z]{3,}/.test(text) && !/0x[0-9a-f]{4}/i.test(text)
    return lines.filter((line) => (shown === 'en' ? isChinese(line) : isEnglish(line) && !isChinese(line)))
  }, language)
}
