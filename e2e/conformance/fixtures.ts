import { test as base, expect, type Page } from '@playwright/test'
import { changeReplies } from '../change-replies.ts'
import { type Holder, newHolder, newPhone, type Person } from '../people.ts'
import { WALLET_NAME } from '../signing-wallet.ts'
import { type Steps, stepsOf } from '../steps.ts'
import { ROWS, type Row, type RowId } from './rows.ts'

/**
 * Users that the tests of rows share, because they are costly to set up: a visitor, a reader of the message to sign, a
 * newcomer who has only signed in, and a member who took test tokens, transferred in and activated. Each test leaves
 * them unchanged or opens another page.
 */
export const test = base.extend<object, { visitor: Person; newcomer: Holder; reader: Holder; member: Holder }>({
  visitor: [
    async ({ browser }, use) => {
      const context = await newPhone(browser)
      const page = await context.newPage()
      // The first load redirects to the browser's language, later ones do not.
      await page.goto('/#/en')
      await use({ page, steps: stepsOf(page, 'en') })
      await context.close()
    },
    { scope: 'worker' },
  ],
  reader: [
    async ({ browser }, use) => {
      const reader = await newHolder(browser)
      const { page, steps } = reader
      await page.goto('/#/en')
      await page.getByRole('button', { name: 'Connect', exact: true }).first().click()
      await page.getByRole('dialog').getByRole('button', { name: WALLET_NAME }).click()
      await steps.button('session_sign_in_wallet').waitFor()
      await use(reader)
      await page.context().close()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  newcomer: [
    async ({ browser }, use) => {
      const newcomer = await newHolder(browser)
      await newcomer.openSignedIn('/')
      await use(newcomer)
      await newcomer.page.context().close()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  member: [
    async ({ browser }, use) => {
      const member = await newHolder(browser)
      const { page, steps } = member
      await page.goto('/?pid=NOBODY42#/en')
      await steps.signIn(WALLET_NAME)
      await steps.takeTestTokens()
      await steps.transferIn('USDT', '500')
      await steps.activateByBalance()
      await use(member)
      await page.context().close()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

export { expect } from '@playwright/test'

/** Opens the form of a swap by an address. The form that is shown may be flipped, so this waits until it is unmounted. */
export async function openSwap(page: Page, steps: Steps, search: string): Promise<void> {
  await steps.open('/language')
  await expect(page.getByRole('textbox', { name: steps.t('swap_sell'), exact: true })).toHaveCount(0)
  await steps.open(`/swap/exchange?${search}`)
}

/** Serves the configuration of a profile without the Local demo wallet. */
export async function withoutDemoWallet(page: Page): Promise<void> {
  await changeReplies(page, '**/api/config', ({ data, ...envelope }) => ({
    ...envelope,
    data: { ...data, profile: 'staging' },
  }))
}

/** Blocks the stream from now on, so the page polls and its network is idle between two polls. */
export async function withoutStream(page: Page): Promise<void> {
  await page.route('**/api/stream?*', (route) => route.abort())
}

/**
 * Makes the page look untouched, so that work that waits for an interaction never starts. The browser counts a script of
 * the test as an interaction, too.
 */
export async function preventUserActivation(page: Page): Promise<void> {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false, isActive: false } }),
  )
}

/** Opens home, then makes code that is not loaded yet fail with 404, as after the deployment of a newer build. */
export async function removeUnloadedChunks(page: Page, times = Number.POSITIVE_INFINITY): Promise<void> {
  // Otherwise the code of the stream would load a second later.
  await preventUserActivation(page)
  await page.goto('/#/en')
  // Waits for the app: the prerendered page makes no calls.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/api/config')),
  )
  await page.waitForLoadState('networkidle')
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  let left = times
  // The app reloads once in 10 s, and may take longer to load here.
  await page.clock.setFixedTime(Date.now())
  await page.route(/\/assets\/.*\.js/, (route) => {
    if (loaded.includes(route.request().url()) || left <= 0) return route.fallback()
    left -= 1
    return route.fulfill({ status: 404 })
  })
}

const rows: readonly Row[] = ROWS

/** The title of the test that shows a row. An unknown id does not compile. */
export function row(id: RowId): string {
  return titleOf(rowOf(id))
}

/**
 * Rows that one flow shows. Each row has a test: the first to run executes the flow, the others share its outcome.
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
  if (!found) throw new Error(`row ${id} does not exist`)
  return found
}
