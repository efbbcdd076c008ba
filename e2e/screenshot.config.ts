import base from './playwright.config.ts'

/** `npm run screenshot -w e2e`: takes docs/screenshot.png anew, from the running product. */
export default { ...base, testDir: '.', testMatch: 'screenshot.ts' }
