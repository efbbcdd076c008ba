import base from './playwright.config.ts'

/** `npm run screenshot -w e2e` and `npm run moving-picture -w e2e` renew the pictures of the READMEs from the running product. */
export default { ...base, testDir: '.', testMatch: '{screenshot,moving-picture}.ts' }
