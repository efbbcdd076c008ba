import { defineConfig } from '@playwright/test'
import journeys from './playwright.config.ts'

/** The exit kit without any server: `npm run nightly -- kit` also opens it in Firefox and WebKit. */
const { webServer, ...rest } = journeys

export default defineConfig({ ...rest, testMatch: '{kit/**,journeys/exit-kit}*.test.ts', reporter: 'list' })
