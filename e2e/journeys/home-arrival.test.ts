import { expect, type Page, test } from '@playwright/test'
import { accountInUse } from '../account-in-use.ts'
import { newHolder } from '../people.ts'
import { connectButton, stepsOf } from '../steps.ts'

test.describe.configure({ mode: 'parallel' })

test('home keeps its places for a visitor', async ({ browser }) => {
  const { page } = await newHolder(browser)
  await arriveOneByOne(page)
  await stepsOf(page, 'en').open('/')
  expect(await movedOn(page)).toEqual([])
  await page.context().close()
})

test('home keeps a place for the invitation until it is declined', async ({ browser }) => {
  const { page, steps } = await newHolder(browser)
  await arriveOneByOne(page)
  await page.goto('/?pid=AB12CD34EF56GH#/en')
  const invitation = page.getByRole('main').getByText(steps.t('session_invited', { code: 'AB12CD…56GH' }))
  await expect(invitation).toBeVisible()
  await expect(invitation.locator('..')).toContainText(steps.t('session_invited_counts'))
  expect(await movedOn(page)).toEqual([])

  await connectButton(page, steps.t).click()
  await steps.button('session_invited_remove').click()
  await page.keyboard.press('Escape')
  await expect(invitation).toBeHidden()
  await page.context().close()
})

test('home keeps its places before activation', async ({ browser }) => {
  const { page, openSignedIn, steps } = await newHolder(browser)
  // The local profile has one more step, which its configuration brings.
  await arriveOneByOne(page, { profile: 'staging' })
  await openSignedIn('/')
  await expect(page.getByText(steps.t('home_steps_count', { done: '1', all: '4' }))).toBeVisible()
  expect(await movedOn(page)).toEqual([])
  await page.context().close()
})

test('home keeps the place of the test tokens from the second visit on', async ({ browser }) => {
  const { page, openSignedIn, steps } = await newHolder(browser)
  const count = page.getByText(steps.t('home_steps_count', { done: '1', all: '5' }))
  await openSignedIn('/')
  await expect(count).toBeVisible()
  await arriveOneByOne(page)
  await page.reload()
  await expect(count).toBeVisible()
  expect(await movedOn(page)).toEqual([])
  await page.context().close()
})

test('home keeps its places for an account in use', async ({ browser }) => {
  const { key } = await accountInUse()
  const { page, openSignedIn, steps } = await newHolder(browser, { key })
  await arriveOneByOne(page)
  await openSignedIn('/')
  await expect(page.getByRole('region', { name: steps.t('history_latest') }).getByRole('listitem')).not.toHaveCount(0)
  expect(await movedOn(page)).toEqual([])
  await page.context().close()
})

/** Lets each response reach the page only after the one before it was drawn, and notes what moves. */
async function arriveOneByOne(page: Page, config?: Readonly<Record<string, string>>): Promise<void> {
  await page.addInitScript(noteShifts)
  let last: Promise<unknown> = Promise.resolve()
  // A stream never ends, so it has no turn.
  await page.route(/\/api\/(?!stream)/, async (route) => {
    try {
      const response = await route.fetch()
      const json = config && route.request().url().endsWith('/config') ? await response.json() : undefined
      if (json) Object.assign(json.data ?? json, config)
      const turn = last.then(async () => {
        await route.fulfill(json ? { response, json } : { response })
        await page.evaluate(drawTwice)
      })
      last = turn.catch(() => {})
      await turn
    } catch (error) {
      // A polled call may be on its way when the test ends.
      if (!/disposed|closed|Test ended|context was destroyed/.test(String(error))) throw error
    }
  })
}

/** Waits until nothing is loading, and returns what moved without a press, and by how much. */
async function movedOn(page: Page): Promise<string[]> {
  const loading = page.getByRole('main').getByRole('status').getByText('Loading')
  await expect(loading).toHaveCount(0)
  await page.evaluate(drawTwice)
  return page.evaluate(() => (window as unknown as { moved: string[] }).moved)
}

/** It runs in the page. */
function drawTwice(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
}

/** It runs in the page. */
function noteShifts(): void {
  const moved: string[] = []
  Object.assign(window, { moved })
  const nameOf = (node: Node | null) => {
    const element = node instanceof Element ? node : node?.parentElement
    return `${element?.className ?? 'nothing'} "${(node?.textContent ?? '').trim().slice(0, 40)}"`
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      readonly hadRecentInput: boolean
      readonly sources: readonly { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[]
    })[]) {
      if (entry.hadRecentInput) continue
      // An element that was replaced has no place any more.
      for (const { node, previousRect, currentRect } of entry.sources)
        if (currentRect.height > 0) moved.push(`${nameOf(node)} from ${previousRect.y} to ${currentRect.y}`)
    }
  }).observe({ type: 'layout-shift', buffered: true })
}
