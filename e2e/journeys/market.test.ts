import { expect, type Locator, type Page, test } from '@playwright/test'
import { changeReplies } from '../change-replies.ts'
import { controlPageTime, type PageTime } from '../page-time.ts'
import { newPhone, recordCalls } from '../people.ts'
import { expectTextInBothLanguages, stepsOf, textPattern } from '../steps.ts'
import { offlineText } from '../texts.ts'
import { newTrader, type Trader } from '../trader.ts'

const INTERVALS = ['1m', '5m', '15m', '1h', '4h', '1d']
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Longer than the screen's poll intervals, shorter than the timeout of a silent stream. */
const WATCHED_MS = 6_000

let other: Trader
test.beforeAll(async () => {
  other = await newTrader({ USDT: '500' })
  await other.swap({ pool: 'eth-usdt', amount: '20', inverse: true })
})

test('candles load continuously and support keys, a table and other intervals', async ({ browser }) => {
  const page = await (await newPhone(browser)).newPage()
  const { open, t, button } = stepsOf(page, 'en')
  await open('/markets/ETHUSDT')
  const spot = page.getByRole('radio', { name: t('market_kind_spot'), exact: true })
  // The line of spot over a day comes first; the server has a year of it.
  await expect(spot).toBeChecked()
  for (const range of ['week', 'month', 'year', 'day']) {
    await page.getByRole('radio', { name: t(`market_range_${range}`), exact: true }).click()
    await expect(chartOf(page)).toHaveAccessibleName(`ETH/USDT · ${t('market_spot')} · ${t(`market_range_${range}`)}`)
  }
  await button('chart_show_candles').click()
  for (const interval of INTERVALS) {
    await page.getByRole('radio', { name: interval, exact: true }).click()
    await expect(chartOf(page)).toHaveAccessibleName(`ETH/USDT · ${t('market_spot')} · ${interval}`)
  }
  await page.getByRole('radio', { name: '1m', exact: true }).click()
  await page.reload()
  await expect(spot).toBeChecked()
  await expect(page.getByRole('radio', { name: '1m', exact: true })).toBeChecked()

  const chart = chartOf(page)
  await expect(page.locator('canvas').first()).toBeVisible()
  await chart.focus()
  // A minute may begin between two keys: then another candle is the latest.
  const latest = await numberIn(chart, 'aria-valuemax')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => numberIn(chart, 'aria-valuenow')).toBeGreaterThanOrEqual(latest)
  const last = await numberIn(chart, 'aria-valuenow')
  for (const [key, position] of [
    ['ArrowLeft', last - 1],
    ['PageDown', last - 11],
    ['ArrowRight', last - 10],
  ] as const) {
    await page.keyboard.press(key)
    await expect(chart).toHaveAttribute('aria-valuenow', String(position))
  }
  await page.keyboard.press('End')
  await expect.poll(() => numberIn(chart, 'aria-valuenow')).toBeGreaterThanOrEqual(last)
  await page.keyboard.press('Home')
  const first = await chart.getAttribute('aria-valuetext')
  await expect.poll(() => numberIn(chart, 'aria-valuemax')).toBeGreaterThanOrEqual(last + 300)
  // The visible candles keep their position, and older ones were added before them.
  expect(await chart.getAttribute('aria-valuetext')).toBe(first)
  expect(await numberIn(chart, 'aria-valuenow')).toBeGreaterThan(300)

  await button('chart_as_table').click()
  const times = await timesIn(page)
  expect(times).toContain(Date.parse(first?.split(': ')[0] ?? ''))
  // The table has the newest first, without a missing minute.
  expect(times.slice(1).map((time, index) => (times[index] ?? 0) - time)).toEqual(times.slice(1).map(() => MINUTE_MS))
  await button('chart_zoom_out').click()
  await expect.poll(async () => (await timesIn(page)).length).toBeGreaterThan(times.length)
  await button('chart_as_chart').click()

  // The pool opened a few hours ago at most: too few candles of four hours for a chart.
  await page.getByRole('radio', { name: t('market_kind_pool'), exact: true }).click()
  await page.getByRole('radio', { name: '4h', exact: true }).click()
  await expectTextInBothLanguages(page, 'market_few_prices')
  await expect(chart).toHaveCount(0)
  await addPoolHistory(page)
  await page.getByRole('radio', { name: '1d', exact: true }).click()
  await expectTextInBothLanguages(page, 'chart_older_end')
  await page.context().close()
})

test('trades of other accounts arrive by stream, or by polling without it', async ({ browser }) => {
  const context = await newPhone(browser)
  const page = await context.newPage()
  const { open, t, button } = stepsOf(page, 'en')
  const time = await controlPageTime(page)
  const streamed = page.waitForResponse(
    (response) => new URL(response.url()).searchParams.get('channels') === 'pairs,ticker:ETHUSDT',
  )
  await open('/markets/ETHUSDT')
  await page.getByRole('radio', { name: t('market_kind_pool'), exact: true }).click()
  await button('chart_show_candles').click()
  await page.getByRole('radio', { name: '1d', exact: true }).click()
  // A pool of a few days has no chart of days but a sentence, which follows the price.
  const chart = page.getByText(textPattern('en', 'market_few_prices'))
  await expect(chart).toBeVisible()
  await streamed
  await time.stop()
  await page.evaluate(() => Object.assign(window, { stillTheSame: true }))

  await test.step('the stream replaces polling', async () => {
    await time.runFor(1_000)
    const before = await pollsIn(time)
    await time.runFor(WATCHED_MS)
    const price = await priceOf(page, t('market_price'))
    const { amount_out } = await other.swap({ pool: 'eth-usdt', amount: '200', inverse: true })
    await expect(async () => {
      await time.runFor(250)
      expect(await priceOf(page, t('market_price'))).not.toBe(price)
    }).toPass()
    expect(await pollsIn(time)).toEqual(before)

    // Trades are always polled.
    const trade = page.getByRole('region', { name: t('market_trades') }).getByRole('row')
    const mine = trade.filter({ has: page.getByTitle(`${amount_out} ETH`, { exact: true }) })
    await expect(async () => {
      await time.runFor(1_000)
      await expect(mine).toHaveCount(1, { timeout: 500 })
    }).toPass()
    await expect(mine.getByText(t('market_buy'), { exact: true })).toBeVisible()
    await expect(async () => {
      expect(await chart.textContent()).toContain(await priceOf(page, t('market_price')))
    }).toPass()
  })

  await test.step('polling resumes when the stream is cut', async () => {
    await page.route('**/api/stream?*', (route) => route.abort())
    await context.setOffline(true)
    await expect(page.getByText(offlineText(t))).toBeVisible()
    await context.setOffline(false)
    await time.runFor(1_000)
    const before = await pollsIn(time)
    await time.runFor(WATCHED_MS)
    const after = await pollsIn(time)
    // Every 3 s and 1.5 s, counted from the previous response.
    expect(after.pairs - before.pairs).toBeGreaterThanOrEqual(1)
    expect(after.ticker - before.ticker).toBeGreaterThanOrEqual(3)
  })

  await test.step('polling ends when the stream returns', async () => {
    await page.unroute('**/api/stream?*')
    const again = page.waitForResponse('**/api/stream?*')
    await context.setOffline(true)
    await context.setOffline(false)
    await time.runFor(1_000)
    await again
    await time.runFor(1_000)
    const before = await pollsIn(time)
    await time.runFor(WATCHED_MS)
    expect(await pollsIn(time)).toEqual(before)
  })

  expect(await page.evaluate(() => 'stillTheSame' in window)).toBe(true)
  await expect(button('chart_latest')).toHaveCount(0)
  await context.close()
})

test('RT shows only its pool, and an unknown market is not found', async ({ browser }) => {
  const context = await newPhone(browser)
  const page = await context.newPage()
  const calls = recordCalls(page)
  const { open, t } = stepsOf(page, 'en')
  // Without a touch. RT has too few trades for a line: a sentence instead.
  await open('/')
  const list = page.getByRole('region', { name: t('market_list') })
  await expect(list.locator('path[stroke]')).toHaveCount(2)
  const hours = '\\d+'
  await expect(list.getByRole('link', { name: /^RT/ })).toContainText(new RegExp(t('market_pool_traded', { hours })))
  await list.getByRole('link', { name: /^RT/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'RT/USDT' })).toBeVisible()
  await expectTextInBothLanguages(page, 'market_no_spot', { base: 'RT' })
  await expect(page.getByRole('radio', { name: t('market_kind_spot'), exact: true })).toHaveCount(0)
  expect(calls.filter(({ path, body }) => path.startsWith('/spot/') && body.includes('RT'))).toEqual([])
  await page.getByRole('link', { name: t('market_buy_base', { base: 'RT' }) }).click()
  await expect(page.getByRole('button', { name: /^RT\/USDT/ })).toBeVisible()
  await expect(page.getByRole('button', { name: `RT ${t('swap_choose_buy')}` })).toBeVisible()
  for (const path of ['/en/markets/NOSUCHUSDT', '/markets/NOSUCHUSDT']) {
    await page.goto(`/#${path}`)
    await expect(page.getByRole('alert').getByText('404', { exact: true })).toBeVisible()
    await expect(page.getByRole('alert')).toContainText(path)
  }
  await context.close()
})

/** Puts 20 days before the candles of pools. */
async function addPoolHistory(page: Page): Promise<void> {
  await changeReplies(page, '**/SwapPool/kline', (reply, route) => {
    const [first] = reply.data
    if (first && !/\b(from|to)=/.test(route.request().postData() ?? ''))
      for (let day = 1; day <= 20; day++)
        reply.data.unshift({ ...first, time: new Date(Date.parse(first.time) - day * DAY_MS).toISOString() })
    return reply
  })
}

function chartOf(page: Page): Locator {
  return page.getByRole('slider')
}

async function numberIn(chart: Locator, attribute: string): Promise<number> {
  return Number(await chart.getAttribute(attribute))
}

/** The times in the table of candles. */
async function timesIn(page: Page): Promise<number[]> {
  // The text for screen readers has the full date; the visible text omits the year.
  const rows = await page.getByRole('figure').getByRole('rowheader').locator('.sr-only').allTextContents()
  return rows.map((text) => Date.parse(text))
}

/** The price shown in large type. */
async function priceOf(page: Page, region: string): Promise<string> {
  const text = await page.getByRole('region', { name: region, exact: true }).locator('.text-amount').textContent()
  return text ?? ''
}

/** Counts the polls of data that the stream also brings. */
async function pollsIn(time: PageTime): Promise<{ pairs: number; ticker: number }> {
  return { pairs: await time.countResponses('/SwapPool/pairs'), ticker: await time.countResponses('/spot/ticker') }
}
