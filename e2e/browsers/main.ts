import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { endOnSignals, secondsSince } from '../../scripts/run-command.ts'
import { startOwnServer } from '../own-server.ts'
import type { Locale } from '../texts.ts'
import type { TestBrowser } from './browser.ts'
import { startFirefox } from './firefox.ts'
import { findOrInstallBrowsers } from './install.ts'
import { doMainJob } from './main-job.ts'
import { takePictures } from './take-pictures.ts'
import { startWalletProxy } from './wallet-proxy.ts'
import { startWebKit } from './webkit.ts'

/** `npm run test:browsers`: the main job in Firefox and WebKit, in both languages. `--pictures` also photographs screens. */
const LOCALES: readonly Locale[] = ['zh-HK', 'en']
const RESULTS = join(import.meta.dirname, '../test-results')
const PICTURES = join(import.meta.dirname, '../contact-sheet/browsers')
const { pictures } = parseArgs({ options: { pictures: { type: 'boolean', default: false } } }).values

/** The exit code without these browsers, which is no failure: the journeys show the same in Chromium. */
const NOT_POSSIBLE = 3

const browsers = await findOrInstallBrowsers().catch((error: Error) => {
  console.log(error.message)
  process.exit(NOT_POSSIBLE)
})
const target: { port?: string; chainPort?: number } = {}
const proxy = await startWalletProxy(target)
const server = await startOwnServer({ PUBLIC_URL: proxy.url })
target.port = new URL(server.baseURL).port
target.chainPort = server.chainPort
const stop = async () => {
  await proxy.stop()
  await server.stop()
}
endOnSignals(stop)

/** These browsers start slower than Chromium, and lose such a press more often. */
const MOST_TRIES = 3

const count = { passed: 0, failed: 0 }
for (const start of [() => startFirefox(browsers.firefox), () => startWebKit(browsers.webKit)]) {
  // Each language in a fresh browser: nothing stored is left of the other one.
  for (const locale of LOCALES) {
    // Again, as for the journeys (decision 0025): a press in the moment in which the app takes over may be lost.
    let hasPassed = false
    for (let tried = 0; !hasPassed && tried < MOST_TRIES; tried++) hasPassed = await tryJob(await start(), locale)
    count[hasPassed ? 'passed' : 'failed'] += 1
  }
}
await stop()
console.log(`\n${count.passed} passed, ${count.failed} failed`)
process.exit(count.failed === 0 ? 0 : 1)

/** Does the main job once. @returns true if it was done. */
async function tryJob(browser: TestBrowser, locale: Locale): Promise<boolean> {
  const startedMs = performance.now()
  const title = `${browser.name}: the main job in ${locale}`
  proxy.reset(locale)
  try {
    await doMainJob(browser, proxy.url, locale)
    if (pictures) await takePictures(browser, locale, PICTURES)
    console.log(`✓ ${title} (${secondsSince(startedMs)})`)
    return true
  } catch (error) {
    const picture = join(RESULTS, `${browser.name}-${locale}.png`)
    await mkdir(RESULTS, { recursive: true })
    await writeFile(picture, await browser.screenshot().catch(() => ''), 'base64')
    console.log(`✗ ${title}: ${(error as Error).message}\n  ${picture}`)
    return false
  } finally {
    await browser.close()
  }
}
