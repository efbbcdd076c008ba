import type { Page } from '@playwright/test'
import type { ShownScreen } from '../screens.ts'
import { connectButton, type Steps, stepsOf } from '../steps.ts'
import type { Locale } from '../texts.ts'
import type { State } from './states.ts'

/** A view that follows a touch on a screen: a sheet, a dialog, or the outcome of an action. */
interface Scene {
  /** The screen that it begins on. */
  readonly path: string
  readonly states: readonly State[]
  /** The account that it needs in place of the state's own. */
  readonly person?: 'newcomer'
  readonly open?: (page: Page, steps: Steps) => Promise<void>
}

const inHeader =
  (key: string) =>
  (page: Page, { t }: Steps) =>
    page
      .getByRole('banner')
      .getByRole('button', { name: t(key) })
      .click()
const inMain =
  (key: string) =>
  (page: Page, { t }: Steps) =>
    page
      .getByRole('main')
      .getByRole('button', { name: t(key) })
      .first()
      .click()

/** Buttons in a list carry the name of their row after their own. */
const inRow =
  (key: string) =>
  (page: Page, { t }: Steps) =>
    page
      .getByRole('main')
      .getByRole('button', { name: new RegExp(`^${t(key)} `) })
      .first()
      .click()

async function reviewSwap(page: Page, { t, button }: Steps): Promise<void> {
  await page.getByLabel(t('swap_sell'), { exact: true }).fill('0.5')
  await button('swap_action').click()
}

/** Opens the newest box with a result. */
async function openBox(page: Page, { t }: Steps): Promise<void> {
  await page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ hasText: t('box_status_to_be_assigned') })
    .first()
    .getByRole('button')
    .click()
}

/** The scenes by name. Options of the command line name them like routes. */
export const SCENES = {
  'not-found': { path: '/no/such/screen', states: ['signed-out'] },
  'unknown-market': { path: '/markets/NONE', states: ['signed-out'] },
  'sign-in': { path: '/', states: ['signed-out'], open: (page, { t }) => connectButton(page, t).click() },
  menu: { path: '/', states: ['signed-out', 'activated'], open: inHeader('nav_menu') },
  account: { path: '/', states: ['not-activated', 'activated'], open: inHeader('nav_my_account') },
  'erase-data': { path: '/profile/data', states: ['activated'], open: inMain('data_erase') },
  notices: { path: '/', states: ['empty', 'activated'], open: inHeader('notice_title') },
  proof: {
    path: '/',
    states: ['signed-out'],
    async open(page, steps) {
      // The card loads once it is in view.
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      await inMain('proof_open')(page, steps)
    },
  },
  'balance-check': {
    path: '/wallet',
    states: ['offline', 'empty', 'activated'],
    async open(page, steps) {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      await inMain('proof_balance_check')(page, steps)
      await page.getByRole('dialog').locator('[role=status]').getByText(/./).first().waitFor()
    },
  },
  receive: { path: '/wallet/buy', states: ['activated'], open: inMain('wallet_receive') },
  alert: { path: '/markets/BNBUSDT', states: ['activated'], open: inMain('market_set_alert') },
  'swap-review': { path: '/swap/exchange', states: ['activated'], open: reviewSwap },
  'swap-done': {
    path: '/swap/exchange',
    states: ['success'],
    async open(page, steps) {
      await reviewSwap(page, steps)
      const sheet = page.getByRole('dialog')
      await sheet.getByRole('button', { name: steps.t('swap_action') }).click()
      await sheet.getByText(steps.t('swap_status_completed')).waitFor()
    },
  },
  'pledge-done': {
    path: '/stake/pledge',
    states: ['success'],
    async open(page, steps) {
      const { t, button } = steps
      await page.getByRole('textbox', { name: t('stake_amount'), exact: true }).fill('12.5')
      await button('stake_continue').click()
      await inMain('stake_pledge')(page, steps)
      await page.getByText(t('stake_pledged_done')).waitFor()
    },
  },
  repay: { path: '/stake/lend/orders', states: ['activated'], open: inMain('stake_repay') },
  liquidate: { path: '/stake/liquidate', states: ['activated'], open: inRow('liquidation_action') },
  collect: { path: '/rich', states: ['activated'], open: inMain('rich_collect') },
  approve: { path: '/rich', states: ['activated'], open: inMain('rich_approve') },
  link: { path: '/rich', states: ['activated'], person: 'newcomer', open: inMain('rich_link') },
  box: { path: '/node/income', states: ['activated'], open: openBox },
  verify: {
    path: '/node/income',
    states: ['activated'],
    async open(page, steps) {
      await openBox(page, steps)
      const sheet = page.getByRole('dialog')
      await sheet.getByRole('button', { name: steps.t('verify_action') }).click()
      await sheet.getByText(steps.t('verify_inputs')).waitFor()
      await sheet
        .locator('summary')
        .filter({ hasText: steps.t('verify_inclusion') })
        .click()
    },
  },
} as const satisfies Record<string, Scene>
export type SceneName = keyof typeof SCENES

const scenes: Record<string, Scene> = SCENES

export function isScene(name: string): name is SceneName {
  return Object.hasOwn(SCENES, name)
}

/** Returns whether a scene exists in a state. */
export function isSceneIn(name: SceneName, state: State): boolean {
  return scenes[name]?.states.includes(state) ?? false
}

/** The account that a scene needs in place of the state's own. */
export function personOf(name: SceneName): Scene['person'] {
  return scenes[name]?.person
}

/** The path that a scene begins on. */
export function pathOf(name: SceneName): ShownScreen['path'] {
  return SCENES[name].path
}

/** Makes the touches that lead to a scene. @returns false if they did not lead there. */
export async function openScene(page: Page, name: SceneName, locale: Locale): Promise<boolean> {
  const steps = stepsOf(page, locale)
  return (scenes[name]?.open?.(page, steps) ?? Promise.resolve()).then(
    () => true,
    () => false,
  )
}
