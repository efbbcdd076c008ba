import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { expect, onTestFinished, test } from 'vitest'
import { menuLabels } from '../generated/menu-labels.ts'
import type { Screen } from '../manifest/screens.ts'
import { type ScreenPath, screens } from './screens.ts'

/** The labels of the specification, section 2, and the screens that they lead to. */
const LABELS = [
  ['§2.46', 'Home', '/'],
  ['§2.47', 'Blind Box', '/node/blindBox'],
  ['§2.48', 'Pool of Asset/Income', '/node/income'],
  ['§2.50', 'My Node', '/node'],
  ['§2.51', 'My Team', '/team'],
  ['§2.52', 'My Wallet', '/wallet'],
  ['§2.53', 'Rankings', '/ranks'],
  ['§2.54', 'Referral', '/referral'],
  ['§2.55', 'Transaction History', '/transaction'],
  ['§2.58', 'Staking', '/stake'],
  ['§2.59', 'About Us', '/node/aboutUs'],
  ['§2.60', 'Whitepaper', '/white'],
] as const satisfies readonly [string, string, ScreenPath][]

for (const [tag, label, path] of LABELS) {
  test(`the menu names ${path} "${label}"`, { tags: [tag] }, () => {
    showLocale('en')
    onTestFinished(() => showLocale('zh-HK'))
    const { menu }: Screen = screens[path]
    expect([menu === undefined, menuLabels[path]?.()]).toEqual([false, label])
  })
}
