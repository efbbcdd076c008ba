import { expect, type Page, test } from '@playwright/test'
import { newPhone } from '../people.ts'
import { stepsOf } from '../steps.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

/** The compositor moves these without drawing the page again. */
const CHEAP = ['opacity', 'transform', 'translate', 'scale', 'rotate']

test('sheets slide, can be dragged down, and tabs fade, by transform and opacity alone', async ({ browser }) => {
  const context = await newPhone(browser)
  const page = await context.newPage()
  const { t, open, tab } = stepsOf(page, 'en')
  await page.addInitScript(recordMotion)
  await open('/swap/exchange')
  const settings = page.getByRole('button', { name: t('swap_settings') })
  const sheet = page.getByRole('dialog', { name: t('swap_settings') })

  await test.step('a sheet slides in', async () => {
    await settings.click()
    await expect(sheet).toBeVisible()
    await expect
      .poll(() => motionOf(page))
      .toContainEqual(expect.objectContaining({ part: 'dialog', property: 'transform' }))
  })

  await test.step('a drag closes it, and the rest of the movement goes on', async () => {
    await settle(page)
    const box = await sheet.boundingBox()
    if (!box) throw new Error('the sheet has no place')
    await drag(page, { x: box.x + box.width / 2, y: box.y + 24 }, box.height * 0.8, async () => {
      // It stays under the finger. The first pixels tell a drag from a tap.
      const moved = ((await sheet.boundingBox())?.y ?? 0) - box.y
      expect(moved).toBeLessThan(box.height * 0.8 + 1)
      expect(moved).toBeGreaterThan(box.height * 0.6)
    })
    await expect(sheet).toHaveCount(0)
    await expectCopyToSlide(page)
  })

  await test.step('a closed sheet is gone immediately, and a copy of it slides out', async () => {
    await settings.click()
    await settle(page)
    await sheet.getByRole('button', { name: t('app_close') }).click()
    await expect(sheet).toHaveCount(0)
    await expect(settings).toBeFocused()
    await expectCopyToSlide(page)
    // Nothing of it stays.
    await expect(page.locator('#popups [inert]')).toHaveCount(0)
  })

  await test.step('a tab fades', async () => {
    await tab('nav_stake')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('nav_staking'))
    await expect
      .poll(() => motionOf(page))
      .toContainEqual(expect.objectContaining({ part: '::view-transition-old(root)' }))
  })

  const moved = await motionOf(page)
  expect(moved.filter(({ property }) => !CHEAP.includes(property))).toEqual([])
  await context.close()
})

test('nothing moves with reduced motion', async ({ browser }) => {
  const context = await newPhone(browser, 'en', { reducedMotion: 'reduce' })
  const page = await context.newPage()
  const { t, open, tab } = stepsOf(page, 'en')
  await page.addInitScript(recordMotion)
  await open('/swap/exchange')
  await page.getByRole('button', { name: t('swap_settings') }).click()
  await expect(page.getByRole('dialog', { name: t('swap_settings') })).toBeVisible()
  await page.keyboard.press('Escape')
  await tab('nav_stake')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(t('nav_staking'))
  // A motion of 0.01 ms is over before it is seen.
  expect((await motionOf(page)).filter(({ ms }) => ms > 1)).toEqual([])
  await context.close()
})

interface Motion {
  readonly part: string
  readonly property: string
  readonly ms: number
}

/** Notes each animation of the page from now on, by looking at each frame. Runs in the page. */
function recordMotion(): void {
  const seen = new Map<string, unknown>()
  const look = () => {
    for (const animation of document.getAnimations()) {
      const effect = animation.effect as KeyframeEffect
      const { target, pseudoElement } = effect
      const isCopy = target?.closest('#popups [inert]')
      const part = isCopy
        ? 'copy'
        : (pseudoElement ?? target?.getAttribute('role') ?? target?.tagName.toLowerCase() ?? '')
      const ms = Number(effect.getComputedTiming().duration)
      const properties = effect.getKeyframes().flatMap((frame) => Object.keys(frame))
      for (const property of properties)
        if (!['offset', 'computedOffset', 'easing', 'composite'].includes(property))
          seen.set(`${part} ${property} ${ms}`, { part, property, ms })
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  Object.assign(window, {
    motionOf: () => [...seen.values()],
    forgetCopies: () => [...seen.keys()].filter((key) => key.startsWith('copy ')).map((key) => seen.delete(key)),
  })
}

function motionOf(page: Page): Promise<Motion[]> {
  return page.evaluate(() => (window as unknown as { motionOf: () => Motion[] }).motionOf())
}

/** Expects that a copy of the sheet has slid out since the last call. */
async function expectCopyToSlide(page: Page): Promise<void> {
  await expect
    .poll(() => motionOf(page))
    .toContainEqual(expect.objectContaining({ part: 'copy', property: 'transform' }))
  await page.evaluate(() => (window as unknown as { forgetCopies: () => void }).forgetCopies())
}

/** Waits until nothing moves. */
async function settle(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0)
}

/** A finger that moves down. @param beforeEnd runs while it still touches. */
async function drag(
  page: Page,
  from: { x: number; y: number },
  by: number,
  beforeEnd: () => Promise<void>,
): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y: number) =>
    devTools.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: from.x, y }] })
  await touch('touchStart', from.y)
  for (let step = 1; step <= 8; step++) await touch('touchMove', from.y + (by * step) / 8)
  await beforeEnd()
  await touch('touchEnd', from.y + by)
}
