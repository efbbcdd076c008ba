import base from './playwright.config.ts'

/** `npm run screenshot -w e2e`: renews docs/screenshot.png from the running product. */
export default { ...base, testDir: '.', testMatch: 'screenshot.ts' }
