import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@clearwell/server/src/platform/http/ports.ts'
import { defineConfig } from '@playwright/test'
import { executable, HEADLESS } from './browser.ts'

/**
 * Runs the journeys and the conformance tests against the product that `npm start` starts: web, server, database and
 * local chain. Each worker reads this file again, so the environment keeps the chosen ports and folder.
 */
process.env.E2E_PORT ??= String(await freePort())
process.env.E2E_CHAIN_PORT ??= String(await freePort())
process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), 'clearwell-e2e-'))

const baseURL = `http://127.0.0.1:${process.env.E2E_PORT}`

export default defineConfig({
  testDir: '.',
  // Tests with this tag run in `npm run nightly -- journeys`, and where one file is asked for by `npm run test:one`.
  ...(process.env.NIGHTLY === '1' || process.env.TEST_ONE === '1' ? {} : { grepInvert: /@night/ }),
  testMatch: '{journeys,conformance,walker}/**/*.test.ts',
  outputDir: 'test-results',
  // Each test has its own wallet, so parallel tests share only the server. They mostly wait, so three fit on two cores.
  workers: 3,
  // Both only end tests that fail. On a machine with other work, a screen of five seconds may take twenty.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  reporter: [['list'], ['./failed-page.ts']],
  forbidOnly: true,
  use: {
    baseURL,
    // An element that never appears fails its own step, not the whole test's time.
    actionTimeout: 30_000,
    // Movement takes a fifth of the browser's time. Journeys of taps and the focus during it turn it on.
    contextOptions: { reducedMotion: 'reduce' },
    // A page that the worker controls hides its requests from a test. Journeys of the worker turn it on.
    serviceWorkers: 'block',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    // A trace of each test would take a tenth more time. `--trace on` makes them.
    trace: 'off',
    launchOptions: {
      ...executable(HEADLESS),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A page lives for seconds. Compiling its hot functions again takes more time than it saves.
        '--js-flags=--no-opt --no-maglev',
      ],
    },
  },
  webServer: {
    command: 'node scripts/bootstrap.mjs start',
    cwd: join(import.meta.dirname, '..'),
    url: `${baseURL}/readyz`,
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
    env: {
      PROFILE: 'local',
      PORT: process.env.E2E_PORT,
      CHAIN_PORT: process.env.E2E_CHAIN_PORT,
      METRICS_PORT: 'off',
      DATA_DIR: process.env.E2E_DATA_DIR,
    },
  },
})
