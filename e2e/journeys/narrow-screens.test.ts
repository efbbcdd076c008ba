import { expect, type Page, test } from '@playwright/test'
import { accountInUse, screensWithData } from '../account-in-use.ts'
import { changeReplies } from '../change-replies.ts'
import { misfitsOf } from '../fitting.ts'
import { newHolder } from '../people.ts'
import { EARNING_SCREENS, SCREENS, type ShownScreen, SIGNED_IN_SCREENS } from '../screens.ts'
import { WALLET_NAME } from '../signing-wallet.ts'
import { stepsOf } from '../steps.ts'
import type { Locale } from '../texts.ts'

/** The narrowest phone on which every button keeps its text in one line. */
const NARROW = { width: 360, height: 640 }

/** The screens that ask for the activation; the last one has its buttons. */
const ASKING_FOR_ACTIVATION: readonly ShownScreen[] = [
  { path: '/', heading: 'nav_home' },
  { path: '/wallet', heading: 'nav_my_wallet' },
  { path: '/swap/exchange', heading: 'nav_swap' },
  { path: '/swap/activate', heading: 'title_swap_activate' },
]

const LOCALES: readonly Locale[] = ['zh-HK', 'en']

test.describe.configure({ mode: 'parallel' })

test('every button fits a narrow screen before activation', { tag: '@night' }, async ({ browser }) => {
  test.slow()
  const { page, steps } = await newHolder(browser)
  const found: string[] = []
  await narrow(page)
  await steps.open('/')
  for (const locale of LOCALES) {
    const look = lookAt(page, locale, found)
    await look.screens(SCREENS)
    await look.sheet('nav_menu')
    await look.sheet('nav_connect')
  }
  await steps.signIn(WALLET_NAME)
  for (const locale of LOCALES) {
    const look = lookAt(page, locale, found)
    await look.screens(ASKING_FOR_ACTIVATION)
    await look.sheet('activation_by_wallet_action')
    await page.getByRole('radio', { name: stepsOf(page, locale).t('activation_by_balance') }).click()
    await look.now('activation by balance')
  }
  expect(found).toEqual([])
  await page.context().close()
})

test('every button of an activated account fits a narrow screen', async ({ browser }) => {
  test.slow()
  const used = await accountInUse()
  const user = await newHolder(browser, { key: used.key })
  const { page } = user
  const found: string[] = []
  await narrow(page)
  await user.openSignedIn('/')
  for (const locale of LOCALES) {
    const look = lookAt(page, locale, found)
    const { t, button } = stepsOf(page, locale)
    const withData = screensWithData(used)
    const isShownWithData = ({ path }: ShownScreen) => withData.some((each) => each.path.startsWith(`${path}?`))
    await look.screens([
      ...SIGNED_IN_SCREENS.filter((screen) => !isShownWithData(screen)),
      ...withData,
      ...EARNING_SCREENS,
    ])
    for (const key of ['nav_my_account', 'notice_title']) await look.sheet(key)
    await look.screens([{ path: '/wallet', heading: 'nav_my_wallet' }])
    await look.sheet('wallet_retrieve')
    await look.screens([{ path: '/wallet/buy', heading: 'title_wallet_buy' }])
    await look.sheet('wallet_receive')
    await look.screens([{ path: '/markets/BNBUSDT', heading: 'market_list' }])
    await look.sheet('alert_title')
    await look.screens([{ path: '/swap/exchange', heading: 'nav_swap' }])
    for (const key of ['swap_choose_pair', 'swap_settings']) await look.sheet(key)
    await page.getByRole('textbox', { name: t('swap_buy'), exact: true }).fill('0.01')
    await button('swap_action').click()
    const sheet = page.getByRole('dialog')
    await expect(sheet.getByText(t('swap_confirm_title'))).toBeVisible()
    await look.now('the confirmation of a swap')
    await sheet.getByRole('button', { name: t('swap_action'), exact: true }).click()
    await expect(sheet.getByText(t('swap_status_completed'))).toBeVisible()
    await look.now('the receipt of a swap')
    await page.keyboard.press('Escape')
  }
  expect(found).toEqual([])
  await page.context().close()
})

/** A phone at 200 %. */
const MAGNIFIED = { width: 195, height: 422 }
const MAGNIFIED_SCREENS = ['/swap/exchange', '/stake', '/rich/pledge', '/node/blindBox', '/wallet/activity'] as const

test('screens at 200 percent keep the width and their words', async ({ browser }) => {
  const used = await accountInUse()
  const user = await newHolder(browser, { key: used.key })
  const { page } = user
  await page.setViewportSize(MAGNIFIED)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await user.openSignedIn('/')
  const found: string[] = []
  const all = [...SIGNED_IN_SCREENS, ...SCREENS, ...screensWithData(used), ...EARNING_SCREENS]
  for (const locale of LOCALES) {
    const { t } = stepsOf(page, locale)
    for (const path of MAGNIFIED_SCREENS) {
      const heading = all.find((each) => each.path === path)?.heading ?? ''
      const hash = `#${locale === 'en' ? '/en' : ''}${path}`
      await misfitsOf(page, { hash, heading: t(heading), loading: t('app_loading') })
      const squeezed = await page.evaluate(findSqueezed)
      found.push(...squeezed.map((each) => `${locale} ${path}: ${each}`))
      if (path !== '/swap/exchange') continue
      const sell = await page.getByRole('textbox', { name: t('swap_sell'), exact: true }).boundingBox()
      expect(sell?.width, `${locale} width of the amount to sell`).toBeGreaterThan(100)
    }
  }
  expect(found).toEqual([])
  await page.context().close()
})

test('the header at 200 percent is whole, with targets of 44 px', async ({ browser }) => {
  const found: string[] = []
  const look = async (page: Page, locale: Locale, path: string, heading: string) => {
    const { t } = stepsOf(page, locale)
    const hash = `#${locale === 'en' ? '/en' : ''}${path}`
    await misfitsOf(page, { hash, heading: t(heading), loading: t('app_loading') })
    found.push(...(await page.evaluate(findHeaderFaults)).map((fault) => `${locale} ${path}: ${fault}`))
  }
  const visitor = await newHolder(browser)
  const name = 'BNB Smart Chain Testnet'
  await changeReplies(visitor.page, '**/api/config', ({ data, ...reply }) => ({
    ...reply,
    // The name of the local chain is a word of the app.
    data: { ...data, chain: { ...data.chain, id: 97, name } },
  }))
  await visitor.page.setViewportSize(MAGNIFIED)
  await visitor.steps.open('/ranks')
  await expect(visitor.page.getByRole('banner').getByText(name, { exact: true })).toBeVisible()
  for (const locale of LOCALES) await look(visitor.page, locale, '/ranks', 'nav_rankings')

  const user = await newHolder(browser)
  await changeReplies(user.page, '**/api/Notice/list', (reply) => ({ ...reply, data: { ...reply.data, unread: 123 } }))
  await user.page.setViewportSize(MAGNIFIED)
  await user.openSignedIn('/wallet')
  await expect(user.page.getByRole('banner').getByText('99+')).toBeVisible()
  for (const locale of LOCALES) {
    await look(user.page, locale, '/wallet', 'nav_my_wallet')
    await look(user.page, locale, '/ranks', 'nav_rankings')
  }
  expect(found).toEqual([])
  for (const { page } of [visitor, user]) await page.context().close()
})

/** Finds controls of the header without 44 px of their own, and texts that are cut or over another. It runs in the page. */
function findHeaderFaults(): string[] {
  const header = document.querySelector('header')
  const seen = (part: Element) => part.getBoundingClientRect().width > 1 && part.checkVisibility()
  const nameOf = (part: Element) => part.getAttribute('aria-label') ?? (part.textContent ?? '').trim()
  const controls = [...(header?.querySelectorAll('button, a') ?? [])].filter(seen)
  // How far a finger meets the control, from its middle: its target can be larger than what is seen.
  const reach = (control: Element, across: number, down: number) => {
    const { left, top, width, height } = control.getBoundingClientRect()
    const isOwn = (by: number) =>
      document.elementFromPoint(left + width / 2 + across * by, top + height / 2 + down * by)?.closest('button, a') ===
      control
    let length = 0
    while (length < 44 && isOwn(length + 1)) length += 1
    return length
  }
  const isSmall = (control: Element) =>
    [reach(control, -1, 0) + reach(control, 1, 0), reach(control, 0, -1) + reach(control, 0, 1)].some(
      // A point on the edge belongs to the neighbour.
      (length) => length < 44 - 2,
    )
  const texts = [...(header?.querySelectorAll('span, button') ?? [])].filter(
    (part) => seen(part) && [...part.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim()),
  )
  const isCut = (part: Element) =>
    part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== 'inline'
      ? true
      : part.scrollHeight > part.clientHeight + 1 && getComputedStyle(part).overflowY === 'hidden'
  const boxes = texts.map((part) => {
    const range = document.createRange()
    range.selectNodeContents(part)
    return { part, box: range.getBoundingClientRect() }
  })
  const overlaps = boxes.flatMap(({ part, box }, index) =>
    boxes
      .slice(index + 1)
      .filter(
        ({ part: other, box: second }) =>
          !part.contains(other) &&
          !other.contains(part) &&
          Math.min(box.right, second.right) - Math.max(box.left, second.left) > 1 &&
          Math.min(box.bottom, second.bottom) - Math.max(box.top, second.top) > 1,
      )
      .map(({ part: other }) => `${nameOf(part)} is over ${nameOf(other)}`),
  )
  const beyond = [...(header?.querySelectorAll('*') ?? [])]
    .filter((part) => seen(part) && part.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
    .map((part) => `${nameOf(part)} is beyond the edge`)
  return [
    ...controls.filter(isSmall).map((part) => `${nameOf(part)} has less than 44 px`),
    ...texts.filter(isCut).map((part) => `${nameOf(part)} is cut`),
    ...overlaps,
    ...beyond,
  ]
}

/** Finds parts beyond the edge, and texts in a column of two letters or less. It runs in the page. */
function findSqueezed(): string[] {
  const width = 195
  const nameOf = (part: Element) => `${part.tagName} "${(part.textContent ?? '').trim().slice(0, 40)}"`
  const parts = [...document.querySelectorAll('main *')].filter((part) => {
    const box = part.getBoundingClientRect()
    return box.width > 1 && box.height > 1 && !part.closest('[inert], [aria-hidden=true], .sr-only')
  })
  const isColumn = (part: Element) => {
    const text = [...part.childNodes].find((node) => node.nodeType === 3 && (node.textContent ?? '').trim().length > 3)
    if (!text) return false
    const range = document.createRange()
    range.selectNodeContents(text)
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size
    return lines > 2 && (text.textContent ?? '').trim().length / lines < 2.5
  }
  const scrolls = document.documentElement.scrollWidth
  return [
    ...(scrolls > width ? [`${scrolls} px wide`] : []),
    ...(scrolls > width ? parts.filter((part) => part.getBoundingClientRect().right > width + 1) : []).map(nameOf),
    ...parts.filter(isColumn).map((part) => `column ${nameOf(part)}`),
  ]
}

async function narrow(page: Page): Promise<void> {
  await page.setViewportSize(NARROW)
  await page.emulateMedia({ reducedMotion: 'reduce' })
}

/** Looks at screens and sheets in a language, and adds to `found` what does not fit there. */
function lookAt(page: Page, locale: Locale, found: string[]) {
  const { t } = stepsOf(page, locale)
  const add = (where: string, misfits: readonly string[]) => {
    // The header and the tabs are on every screen.
    const isNew = (misfit: string) =>
      !found.some((each) => each.startsWith(`${locale} `) && each.endsWith(`: ${misfit}`))
    found.push(...misfits.filter(isNew).map((misfit) => `${locale} ${where}: ${misfit}`))
  }
  return {
    async screens(screens: readonly ShownScreen[]): Promise<void> {
      for (const { path, heading } of screens) {
        const hash = `#${locale === 'en' ? '/en' : ''}${path}`
        const title = path.startsWith('/markets/') ? 'BNB/USDT' : t(heading)
        add(path, await misfitsOf(page, { hash, heading: title, loading: t('app_loading') }))
      }
    },
    /** Looks at the sheet that a button opens, and closes it. */
    async sheet(key: string): Promise<void> {
      const dialog = page.getByRole('dialog')
      await page
        .getByRole('button', { name: t(key) })
        .first()
        .click()
      await expect(dialog).toBeVisible()
      await this.now(`the sheet of ${key}`)
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    },
    async now(where: string): Promise<void> {
      add(where, await misfitsOf(page))
    },
  }
}
