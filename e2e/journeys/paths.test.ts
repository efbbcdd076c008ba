import { expect, test } from '@playwright/test'
import { accountInUse } from '../account-in-use.ts'
import { leaveSession } from '../earlier-session.ts'
import { SCREENS } from '../screens.ts'
import { installWallet } from '../signing-wallet.ts'
import { stepsOf } from '../steps.ts'

test.use({ locale: 'en-GB' })

/** Queries with numbers instead of texts, and with invalid texts. */
const NONSENSE = [
  '?asset=USDT&amount=20&way=out&order=12&kind=7&range=own&from=1&to=2&period=3&pair=4&section=5',
  '?asset=DOGE&amount=abc&way=up&order=none&kind=No-Kind&range=own&from=soon&to=later&period=age&pair=NOPE&section=none',
]

test('every screen opens with an invalid query', { tag: '@night' }, async ({ page }) => {
  test.slow()
  const { key } = await accountInUse()
  await leaveSession(page, await installWallet(page, { key }))
  const { open, t } = stepsOf(page, 'en')
  for (const { path, heading } of SCREENS) {
    for (const query of NONSENSE) {
      await open(`${path}${query}`)
      const name = path.startsWith('/markets/') ? /BNB/ : path === '/wallet/asset' ? /^(Asset|USDT)$/ : t(heading)
      await expect(page.getByRole('heading', { level: 1, name })).toBeAttached()
      await expect(page.getByRole('status', { name: t('app_loading') })).toHaveCount(0)
      await expect(page.getByRole('alert')).toHaveCount(0)
    }
  }
})
