import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@clearwell/server/src/platform/http/ports.ts'
import { defineConfig } from '@playwright/test'

/**
 * The journeys, and the tests of the specification's rows, run against what `npm start` starts: web, server, database,
 * local chain. Workers read this file again, so what is chosen once stays in the environment.
 */
process.env.E2E_PORT ??= String(await freePort())
process.env.E2E_CHAIN_PORT ??= String(await freePort())
process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), 'clearwell-e2e-'))

const browser = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
const baseURL = `http://127.0.0.1:${process.env.E2E_PORT}`

export default defineConfig({
  testDir: '.',
  testMatch: '{journeys,conformance}/**/*.test.ts',
  outputDir: 'test-results',
  // Each test has a wallet of its own, so those at once only share the server; they wait more than they work.
  workers: 3,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  use: {
    baseURL,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    // Without a film: it costs a third more of the runner's time, and the snapshots show as much.
    trace: { mode: 'retain-on-failure', screenshots: false, sources: false },
    launchOptions: {
      // Empty: Playwright's own browser.
      ...(browser === '' ? {} : { executablePath: browser }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
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
      DATA_DIR: process.env.E2E_DATA_DIR,
    },
  },
})
