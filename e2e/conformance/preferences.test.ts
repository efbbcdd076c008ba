import { newPhone } from '../people.ts'
import { expect, row, sharing, test } from './fixtures.ts'

const DAY_S = 24 * 60 * 60

for (const [id, flow] of sharing('4.29', '9.03')) {
  test(row(id), async ({ browser }) =>
    flow(async () => {
      const context = await newPhone(browser)
      const page = await context.newPage()
      await page.goto('/#/en/language')
      await page.getByRole('button', { name: '繁體中文' }).click()
      await expect(page.locator('html')).toHaveAttribute('lang', 'zh-HK')
      const cookie = (await context.cookies()).find(({ name }) => name === 'clearwell_locale')
      expect(cookie).toMatchObject({ value: 'zh-HK', path: '/', sameSite: 'Lax' })
      const days = ((cookie?.expires ?? 0) - Date.now() / 1000) / DAY_S
      expect(days).toBeGreaterThan(364.9)
      expect(days).toBeLessThanOrEqual(365)
      await context.close()
    }),
  )
}

for (const [id, locale, cookie, lang] of [
  ['4.26', 'zh-HK', 'en', 'en'],
  ['4.27', 'en-AU', undefined, 'en'],
  ['4.28', 'fr-FR', undefined, 'zh-HK'],
] as const) {
  test(row(id), async ({ browser, baseURL }) => {
    const context = await newPhone(browser, 'en', { locale })
    if (cookie) await context.addCookies([{ name: 'clearwell_locale', value: cookie, url: baseURL ?? '' }])
    const page = await context.newPage()
    await page.goto('/')
    await expect(page.locator('html')).toHaveAttribute('lang', lang)
    await expect(page).toHaveURL(lang === 'en' ? /#\/en/ : /\/(#\/?)?$/)
    await context.close()
  })
}

for (const [id, flow] of sharing('4.30', '4.31', '4.34')) {
  test(row(id), async ({ browser }) =>
    flow(async () => {
      const context = await newPhone(browser, 'en', { colorScheme: 'light' })
      const page = await context.newPage()
      await page.goto('/#/en')
      const mode = page.locator('html')
      await expect(mode).toHaveAttribute('data-mode', 'dark')
      await page.getByRole('button', { name: 'Menu' }).click()
      const choose = (name: string) => page.getByRole('dialog').getByRole('radio', { name }).click()
      const kept = () => page.evaluate(() => localStorage.getItem('clearwell.mode'))
      await choose('Light')
      await expect(mode).toHaveAttribute('data-mode', 'light')
      expect(await kept()).toBe('light')
      await choose('Dark')
      await expect(mode).toHaveAttribute('data-mode', 'dark')
      expect(await kept()).toBe('dark')
      await choose('System')
      await expect(mode).toHaveAttribute('data-mode', 'light')
      expect(await kept()).toBe('system')
      await page.emulateMedia({ colorScheme: 'dark' })
      await expect(mode).toHaveAttribute('data-mode', 'dark')
      await page.reload()
      await expect(mode).toHaveAttribute('data-mode', 'dark')
      await context.close()
    }),
  )
}
