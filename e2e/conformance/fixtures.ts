import { test as base, type Page } from '@playwright/test'
import { type Holder, holder, type Person, phone } from '../people.ts'
import { WALLET_NAME } from '../signing-wallet.ts'
import { stepsOf } from '../steps.ts'
import { ROWS, type Row, type RowId } from './rows.ts'

/**
 * Tests of rows share what is costly to set up: somebody who only looks, somebody who reads what to sign, somebody who only signed in,
 * and somebody who
 * signed in, took test tokens, transferred in and activated. A test leaves them as it found them, or opens a page of its own.
 */
export const test = base.extend<object, { visitor: Person; newcomer: Holder; reader: Holder; member: Holder }>({
  visitor: [
    async ({ browser }, use) => {
      const context = await phone(browser)
      const page = await context.newPage()
      // The first load goes to the browser's language; from then on every path is meant.
      await page.goto('/#/en')
      await use({ page, steps: stepsOf(page, 'en') })
      await context.close()
    },
    { scope: 'worker' },
  ],
  reader: [
    async ({ browser }, use) => {
      const reader = await holder(browser)
      const { page, steps } = reader
      await page.goto('/#/en')
      await page.getByRole('banner').getByRole('button', { name: 'Connect', exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: WALLET_NAME }).click()
      await steps.button('session_sign_in_wallet').waitFor()
      await use(reader)
      await page.context().close()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  newcomer: [
    async ({ browser }, use) => {
      const newcomer = await holder(browser)
      await newcomer.page.goto('/#/en')
      await newcomer.steps.signIn(WALLET_NAME)
      await use(newcomer)
      await newcomer.page.context().close()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  member: [
    async ({ browser }, use) => {
      const member = await holder(browser)
      const { page, steps } = member
      await page.goto('/?pid=NOBODY42#/en')
      await steps.signIn(WALLET_NAME)
      await steps.takeTestTokens()
      await steps.transferIn('USDT', '500')
      await steps.activateByBalance()
      await use(member)
      await page.context().close()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
})

export { expect } from '@playwright/test'

/** The profile of a place where no Local demo wallet is offered. */
export async function withoutDemoWallet(page: Page): Promise<void> {
  await page.route('**/api/config', async (route) => {
    const response = await route.fetch()
    const envelope = await response.json()
    await route.fulfill({ response, json: { ...envelope, data: { ...envelope.data, profile: 'staging' } } })
  })
}

/** No stream comes from now on, so the page polls, and between two polls its network is idle. */
export async function withoutStream(page: Page): Promise<void> {
  await page.route('**/api/stream?*', (route) => route.abort())
}

/**
 * The page is only looked at: what it does once it is touched does not begin. To the browser a script that a test runs in
 * the page is a touch, too.
 */
export async function untouched(page: Page): Promise<void> {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false, isActive: false } }),
  )
}

/**
 * Opens home. From then on the page's code that was not loaded yet is not there, as after a newer build was installed.
 */
export async function loseChunks(page: Page, times = Number.POSITIVE_INFINITY): Promise<void> {
  // Or the code of the stream would come a second later.
  await untouched(page)
  await page.goto('/#/en')
  // Not the prerendered page, which asks nothing of the server.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/api/config')),
  )
  await page.waitForLoadState('networkidle')
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  let left = times
  await page.route(/\/assets\/.*\.js/, (route) => {
    if (loaded.includes(route.request().url()) || left <= 0) return route.fallback()
    left -= 1
    return route.fulfill({ status: 404 })
  })
}

const rows: readonly Row[] = ROWS

/** The title of the test that shows a row. An id that is no row does not compile. */
export function row(id: RowId): string {
  return titleOf(rowOf(id))
}

/**
 * Rows that one flow shows. Each has its test; the first that runs goes through the flow, the others share how it ended.
 *
 * @example for (const [id, flow] of sharing('4.10', '6.08')) test(row(id), async ({ browser }) => flow(async () => { … }))
 */
export function sharing<Id extends RowId>(...ids: Id[]): [Id, (run: () => Promise<void>) => Promise<void>][] {
  let outcome: Promise<void> | undefined
  const flow = (run: () => Promise<void>) => {
    outcome ??= run()
    return outcome
  }
  return ids.map((id) => [id, flow])
}

export function titleOf({ id, text }: Row): string {
  return `[§${id}] ${text}`
}

export function rowsWhere<Key extends keyof Row>(key: Key): (Row & Required<Pick<Row, Key>>)[] {
  return rows.filter((each): each is Row & Required<Pick<Row, Key>> => each[key] !== undefined)
}

function rowOf(id: RowId): Row {
  const found = rows.find((each) => each.id === id)
  if (!found) throw new Error(`there is no row ${id}`)
  return found
}
