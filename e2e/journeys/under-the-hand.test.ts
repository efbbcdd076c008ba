import { expect, type Locator, type Page, type Route, test } from '@playwright/test'
import { preventUserActivation } from '../conformance/fixtures.ts'
import { newHolder, newPhone } from '../people.ts'
import { stepsOf, waitForSheetToLeave } from '../steps.ts'
import { fillSell, loseSwapRequest, openTrading, swapsSent } from '../swapping.ts'
import { newTrader } from '../trader.ts'

// With movement: a tap may meet a sheet on its way.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('an early press on Swap waits for its quote unless typing continues', async ({ browser }) => {
  const user = await openTrading(browser, 'en')
  const { page, steps } = user
  const action = page.getByRole('main').getByRole('button', { name: steps.t('swap_action'), exact: true })
  const sheet = page.getByRole('dialog')
  const held: { amount: string; go: () => void }[] = []
  const isHeld = (amount: string) => held.some((each) => each.amount === amount)
  let isHolding = true
  let isShortLived = true
  await page.route('**/SwapPool/getQuote', async (route) => {
    const amount = new URLSearchParams(route.request().postData() ?? '').get('amount') ?? ''
    // The rate of one unit is always quoted.
    if (isHolding && amount !== '1') await new Promise<void>((resolve) => held.push({ amount, go: resolve }))
    await (amount === '20' && isShortLived ? continueShortLived(route) : route.continue())
  })
  const release = () => {
    isHolding = false
    for (const { go } of held.splice(0)) go()
  }

  await steps.button('swap_state_no_amount').click()
  await expect(page.getByText('Please enter amount')).toBeVisible()
  await expect(page.getByRole('textbox', { name: steps.t('swap_sell'), exact: true })).toBeFocused()

  await fillSell(user, '10')
  await action.focus()
  await page.keyboard.press('Enter')
  await expect(action).toHaveAttribute('aria-busy', 'true')
  await fillSell(user, '20')
  await expect(action).not.toHaveAttribute('aria-busy')
  await expect.poll(() => isHeld('20')).toBe(true)
  release()
  // The last typed amount has its quote, but no press asked for its confirmation.
  await expect(page.getByText(steps.t('swap_minimum'))).toBeVisible()
  await expect(sheet).toHaveCount(0)

  isHolding = true
  await fillSell(user, '30')
  await action.focus()
  await page.keyboard.press('Enter')
  await expect(action).toHaveAttribute('aria-busy', 'true')
  await expect.poll(() => isHeld('30')).toBe(true)
  expect(await sheet.count()).toBe(0)
  release()
  await expect(sheet.getByText(steps.t('swap_confirm_title'))).toBeVisible()
  await expect(sheet).toContainText('30 USDT')
  await sheet
    .getByRole('button', { name: steps.t('app_close') })
    .last()
    .click()
  await expect(sheet).toHaveCount(0)

  // A quote that expired while another amount was typed is never confirmed: the press waits for a new one.
  isShortLived = false
  isHolding = true
  await fillSell(user, '20')
  await expect.poll(() => isHeld('20')).toBe(true)
  await action.focus()
  await page.keyboard.press('Enter')
  await expect(action).toHaveAttribute('aria-busy', 'true')
  expect(await sheet.count()).toBe(0)
  release()
  await expect(sheet).toContainText('20 USDT')
  expect(swapsSent(user)).toEqual([])
  await page.context().close()
})

/** Forwards a quote that expires as soon as it arrives. */
async function continueShortLived(route: Route): Promise<void> {
  const response = await route.fetch()
  const { data, ...envelope } = await response.json()
  await route.fulfill({ response, json: { ...envelope, data: { ...data, expires_at: justAfter(data.time) } } })
}

function justAfter(time: string): string {
  return new Date(Date.parse(time) + 1).toISOString()
}

test('a double tap does not confirm a swap, a later tap does', async ({ browser }) => {
  const user = await openTrading(browser, 'en', 'ETH/USDT')
  const { page, steps } = user
  const { t, button } = steps
  await fillSell(user, '10')
  await button('swap_action').focus()
  // Presses the confirm button as soon as it exists.
  await page.evaluate((label) => {
    new MutationObserver((_changes, observer) => {
      const buttons = [...document.querySelectorAll<HTMLElement>('[role="dialog"] button')]
      const confirming = buttons.find(({ textContent }) => textContent === label)
      if (!confirming) return
      observer.disconnect()
      confirming.click()
      document.documentElement.dataset.secondTap = 'landed'
    }).observe(document.body, { childList: true, subtree: true })
  }, t('swap_action'))
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByText(t('swap_confirm_title'))).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-second-tap', 'landed')
  const confirming = sheet.getByRole('button', { name: t('swap_action'), exact: true })
  await expect(confirming).toBeEnabled()
  expect(swapsSent(user)).toEqual([])
  await confirming.click()
  await expect(sheet.getByText(t('swap_status_completed'))).toBeVisible()
  expect(swapsSent(user)).toHaveLength(1)
  await page.context().close()
})

test('a sheet keeps the form while the server is away and opens later', async ({ browser }) => {
  const context = await newPhone(browser)
  const page = await context.newPage()
  const { t, open } = stepsOf(page, 'en')
  // No code loads ahead of the press.
  await preventUserActivation(page)
  await page.addInitScript(() => Object.defineProperty(window, 'requestIdleCallback', { value: () => 0 }))
  await open('/swap/exchange')
  const sell = page.getByRole('textbox', { name: t('swap_sell'), exact: true })
  await sell.fill('12.5')
  await page.route('**/*', (route) => route.abort('connectionrefused'))
  await page.getByRole('button', { name: t('swap_settings') }).click()
  const failure = page.getByRole('alert').filter({ hasText: t('app_no_response') })
  await expect(failure).toBeVisible()
  await expect(sell).toHaveValue('12.5')
  await page.unroute('**/*')
  await page.getByRole('button', { name: t('swap_settings') }).click()
  await expect(page.getByRole('dialog', { name: t('swap_settings') })).toBeVisible()
  await expect(failure).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(sell).toHaveValue('12.5')
  await context.close()
})

test('Back restores the typed swap and its pair, and so does a tab', async ({ browser }) => {
  const context = await newPhone(browser)
  const page = await context.newPage()
  const { t, tab, open } = stepsOf(page, 'en')
  const sell = page.getByRole('textbox', { name: t('swap_sell'), exact: true })
  await open('/swap/exchange?pair=RTUSDT')
  await page.getByRole('button', { name: t('swap_flip') }).click()
  await sell.fill('12.5')
  await page.getByRole('link', { name: / chart$/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'RT/USDT' })).toBeVisible()
  await page.goBack()
  await expect(sell).toHaveValue('12.5')
  await expect(page.getByText('RT/USDT').first()).toBeVisible()
  await tab('nav_home')
  await tab('nav_swap')
  await expect(sell).toHaveValue('12.5')
  await expect(page.getByText('RT/USDT').first()).toBeVisible()
  await context.close()
})

test('forms survive visits by tab until sent or signed out', async ({ browser }) => {
  const user = await newHolder(browser, { key: (await newTrader({ USDT: '60' })).key })
  const { page, steps } = user
  const { t, tab, button } = steps
  const field = (key: string) => page.getByRole('textbox', { name: t(key), exact: true })
  const inMain = (role: 'link' | 'button', key: string) =>
    page.getByRole('main').getByRole(role, { name: t(key), exact: true })
  const openPledge = async () => {
    await tab('nav_stake')
    await inMain('link', 'stake_pledge').click()
    await expect(page.getByRole('heading', { level: 1, name: t('title_stake_pledge') })).toBeVisible()
  }
  const openTransferOut = async () => {
    await steps.open('/wallet/sell')
    await expect(page.getByRole('heading', { level: 1, name: t('title_wallet_sell') })).toBeVisible()
  }
  /** The amounts in the three forms, opened by a tab or a link. */
  const amounts = async () => {
    await tab('nav_swap')
    const swap = await field('swap_sell').inputValue()
    await openPledge()
    const pledge = await field('stake_amount').inputValue()
    await openTransferOut()
    return { swap, pledge, out: await field('wallet_amount').inputValue() }
  }

  await user.openSignedIn('/swap/exchange')
  await fillSell(user, '11')
  await openPledge()
  await field('stake_amount').fill('12')
  await openTransferOut()
  await page.getByRole('radio', { name: 'USDT', exact: true }).click()
  await field('wallet_amount').fill('13')
  expect(await amounts()).toEqual({ swap: '11', pledge: '12', out: '13' })
  await page.reload()
  await steps.waitForSession()
  expect(await amounts()).toEqual({ swap: '11', pledge: '12', out: '13' })

  // The confirmation keeps the form until the command is sent.
  await openPledge()
  await button('stake_continue').click()
  await expect(page.getByText(t('stake_risk_text'))).toBeVisible()
  await page.goBack()
  await expect(field('stake_amount')).toHaveValue('12')
  await button('stake_continue').click()
  await inMain('button', 'stake_pledge').click()
  await expect(page.getByText(t('stake_pledged_done'))).toBeVisible()
  expect(await amounts()).toEqual({ swap: '11', pledge: '', out: '13' })

  await steps.signOut()
  expect(await amounts()).toEqual({ swap: '', pledge: '', out: '' })
  await page.context().close()
})

test('Back closes the top sheet and keeps the page under it', async ({ browser }) => {
  const context = await newPhone(browser)
  const page = await context.newPage()
  const { t, button, open, tab } = stepsOf(page, 'en')
  const sheet = page.getByRole('dialog')
  const sell = page.getByRole('textbox', { name: t('swap_sell'), exact: true })
  const heading = page.getByRole('main').getByRole('heading', { level: 1 })
  await open('/')
  await tab('nav_swap')
  await sell.fill('1250.5')
  await button('nav_menu').click()
  await expect(sheet).toBeVisible()
  await untilSheetHasEntry(page)
  await page.goBack()
  await expect(sheet).toHaveCount(0)
  await expect(sell).toHaveValue('1,250.5')

  // Closed in another way, it leaves no entry: Back leads home.
  await page.getByRole('button', { name: t('swap_settings') }).click()
  await expect(sheet).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  // Its entry leaves a moment later, and a test's step back counts from the entry of now.
  await waitForSheetToLeave(page)
  await page.goBack()
  await expect(heading).toHaveText(t('nav_home'))
  await page.goForward()
  await expect(heading).toHaveText(t('nav_swap'))

  // A link out of a sheet takes its entry: Back leads to the page with the sheet closed.
  await button('nav_menu').click()
  await untilSheetHasEntry(page)
  await sheet.getByRole('link', { name: t('nav_whitepaper') }).click()
  await expect(heading).toHaveText(t('nav_whitepaper'))
  await page.goBack()
  await expect(heading).toHaveText(t('nav_swap'))
  await expect(sheet).toHaveCount(0)
  await context.close()
})

/** Waits until Back would close the sheet: its entry comes a moment after it. */
async function untilSheetHasEntry(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => history.state?.__sheets)).toBe(1)
}

test('the focus survives removed elements and navigation', async ({ browser }) => {
  const user = await openTrading(browser, 'en')
  const { page, steps } = user
  const { t } = steps
  const heading = page.getByRole('main').getByRole('heading', { level: 1 })

  await test.step('the element that opened a sheet disappears with it', async () => {
    const note = await loseSwapRequest(user, '10')
    await note.getByRole('button', { name: t('account_lost_open') }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByRole('button', { name: t('account_lost_dismiss') }).click()
    await expect(note).toHaveCount(0)
    await expect(sheet).toHaveCount(0)
    await expectFocusWithin(page, page.getByRole('main'))
  })

  await test.step('every navigation focuses the heading', async () => {
    await page
      .getByRole('main')
      .getByRole('link', { name: t('swap_chart', { pair: 'RT/USDT' }) })
      .click()
    await expect(page.getByRole('heading', { level: 1, name: 'RT/USDT' })).toBeFocused()
    await steps.tab('nav_wallet')
    await expect(heading).toHaveText(t('nav_my_wallet'))
    await expect(heading).toBeFocused()
    await page.goBack()
    await expect(heading).toHaveText('RT/USDT')
    await expect(heading).toBeFocused()
    await steps.button('nav_menu').click()
    await page
      .getByRole('dialog')
      .getByRole('link', { name: t('nav_whitepaper') })
      .click()
    await expect(heading).toHaveText(t('nav_whitepaper'))
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(heading).toBeFocused()
  })

  await test.step('a change on the same screen keeps the focus', async () => {
    await steps.open('/swap/exchange')
    const pairs = page.getByRole('button', { name: t('swap_choose_pair') })
    await pairs.click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^RT\/USDT/ })
      .click()
    await expect(page).toHaveURL(/pair=RTUSDT/)
    await expect(pairs).toBeFocused()
  })
  await page.context().close()
})

function expectFocusWithin(page: Page, part: Locator): Promise<void> {
  return expect
    .poll(async () => (await part.elementHandle())?.evaluate((element) => element.contains(document.activeElement)), {
      message: `the focus is at ${page.url()}`,
    })
    .toBe(true)
}
