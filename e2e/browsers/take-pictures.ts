import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Locale, textsOf } from '../texts.ts'
import type { TestBrowser } from './browser.ts'
import { pageActions } from './page-actions.ts'

/** Charts, fonts and sheets have appeared by then. */
const SETTLE_MS = 1_500

/**
 * Photographs the screens on which browsers differ most, in both colour modes: home, swap, its settings in a sheet, a chart,
 * lists of dates and figures. The user has finished the main job.
 */
export async function takePictures(browser: TestBrowser, locale: Locale, folder: string): Promise<void> {
  const t = textsOf(locale)
  const page = pageActions(browser)
  const prefix = locale === 'en' ? '#/en' : '#'
  const shoot = async (name: string, mode: string) => {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    const file = join(folder, `${browser.name}_${name}_${locale}_${mode}.png`)
    await writeFile(file, await browser.screenshot(), 'base64')
  }
  await mkdir(folder, { recursive: true })
  for (const mode of ['dark', 'light']) {
    await browser.run(`document.documentElement.dataset.mode = '${mode}'`)
    for (const [name, path] of SCREENS) {
      await page.go(`${prefix}${path}`)
      await browser.run('scrollTo(0, 0)')
      await shoot(name, mode)
    }
    await page.go(`${prefix}/swap/exchange`)
    await page.press({ role: 'button', name: t('swap_settings'), isPart: true })
    await shoot('sheet', mode)
    await page.press({ role: 'button', name: t('app_close'), isInDialog: true })
  }
}

const SCREENS = [
  ['home', '/'],
  ['swap', '/swap/exchange'],
  ['chart', '/markets/BNBUSDT'],
  ['logs', '/wallet/logs'],
  ['wallet', '/wallet'],
] as const
