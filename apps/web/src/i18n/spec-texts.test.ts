import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { showLocale } from '@clearwell/ui/i18n/locale.ts'
import { expect, test } from 'vitest'
import { m } from '../generated/messages.ts'

/** The texts that the specification quotes (§2 labels, §4, §5, §8), to the letter, in the messages of the app. */
const src = join(import.meta.dirname, '..')
const english = valuesOf('en')
const chinese = valuesOf('zh-HK')

const LABELS = [
  'Home',
  'Blind Box',
  'Pool of Asset/Income',
  'My account',
  'My Node',
  'My Team',
  'My Wallet',
  'Rankings',
  'Referral',
  'Transaction History',
  'Settings',
  'Stake',
  'Staking',
  'About Us',
  'Whitepaper',
  'Language',
  'Connect',
  'Disconnect',
  'Activate Now',
]

const QUOTED = [
  'Page not found: {path}',
  'Page Not Found',
  'Internal Server Error',
  'No available wallet found',
  'Invalid account',
  'signature failed',
  'Please connect to web3 wallet first',
  'Please enter amount',
  'Balance not enough',
  'RT balance is insufficient',
  'Invalid input',
  'Please activate your account before operation',
  'Exceeds the maximum available balance in the lending pool',
  'Address must be a hex value of 20 bytes (40 hex characters)',
  'Address must match its checksum counterpart',
  'Something went wrong',
  'Failed',
  'Trading suspended',
  'Chain not configured.',
  'Connector already connected.',
  'Connector not connected.',
  'Provider not found.',
  'No URL was provided to the Transport',
  'The request took too long to respond.',
  'Could not find an Account to execute with this Action',
  "The current chain of the connector does not match the connection's chain",
  "Do you agree to {name}'s request?",
]

/** The server, the wallet or a name comes before or after these. */
const PARTS = ['does not support programmatic chain switching', 'Account not found for connector']

/** The Chinese of the texts that the specification quotes in English alone, as the glossary fixes it. */
const CHINESE = [
  ['Please connect to web3 wallet first', '請先連接 Web3 錢包'],
  ['No available wallet found', '找不到可用的錢包'],
  ['Invalid account', '帳戶無效'],
  ['signature failed', '簽署失敗，請再試一次'],
  ['Please enter amount', '請輸入數量'],
  ['Balance not enough', '餘額不足'],
  ['RT balance is insufficient', 'RT 餘額不足'],
  ['Invalid input', '輸入無效'],
  ['Please activate your account before operation', '請先啟用帳戶再操作'],
  ['Exceeds the maximum available balance in the lending pool', '超出借貸池的最高可借數量'],
  ["Do you agree to {name}'s request?", '是否同意 {name} 的申請？'],
  ['Something went wrong', '發生錯誤'],
  ['Failed', '失敗'],
  ['Page not found: {path}', '找不到頁面：{path}'],
  ['Trading suspended', '交易已暫停'],
  ['Home', '首頁'],
  ['Settings', '設定'],
  ['Language', '語言'],
  ['Whitepaper', '白皮書'],
  ['About Us', '關於我們'],
  ['Transaction History', '交易紀錄'],
  ['Rankings', '排行榜'],
  ['Referral', '邀請好友'],
  ['My Team', '我的團隊'],
  ['My Node', '我的節點'],
  ['My Wallet', '我的錢包'],
  ['My account', '我的帳戶'],
  ['Blind Box', '盲盒'],
  ['Pool of Asset/Income', '資產池／收益池'],
  ['Staking', '質押借貸'],
  ['Connect', '連接錢包'],
  ['Disconnect', '中斷連接錢包'],
  ['Activate Now', '立即啟用'],
] as const

test.each(LABELS)('the navigation has the label %j', (label) => {
  expect(keysOf(label).filter((key) => key.startsWith('nav_'))).toHaveLength(1)
})

test.each(QUOTED)('the text %j exists exactly', (text) => {
  expect(keysOf(text)).not.toEqual([])
})

test.each(PARTS)('a text contains %j', (part) => {
  expect([...english.values()].some((text) => text.includes(part))).toBe(true)
})

test.each(CHINESE)('%j is translated as %j everywhere', (text, translated) => {
  const keys = keysOf(text)
  expect(keys).not.toEqual([])
  for (const key of keys) expect(chinese.get(key), key).toBe(translated)
})

test.each(['zh-HK', 'en'] as const)(
  'the texts in %s take the variables of the specification',
  {
    tags: ['§3.20'],
  },
  (locale) => {
    showLocale(locale)
    const texts = [
      m.wallet_say_done({ amount: '12.5 USDT' }),
      m.wallet_under_min({ min: '10 USDT' }),
      m.wallet_over_max({ max: '99 USDT' }),
      m.wallet_gas_short({ coin: 'tBNB' }),
      m.payment_detail_count({ m: '17', n: '4' }),
    ]
    showLocale('zh-HK')
    for (const [i, values] of [['12.5 USDT'], ['10 USDT'], ['99 USDT'], ['tBNB'], ['17', '4']].entries())
      for (const value of values) expect(texts[i]).toContain(value)
  },
)

test.each(['zh-HK', 'en'] as const)(
  'the texts in %s take the variables of membership and lending',
  {
    tags: ['§3.26'],
  },
  (locale) => {
    showLocale(locale)
    const texts = [
      m.stake_worth({ usdt: '12.5' }),
      m.team_lv({ lv: '3' }),
      m.team_level({ level: '4' }),
      m.stake_apr({ apr: '4.5%' }),
    ]
    showLocale('zh-HK')
    for (const [i, value] of ['12.5', '3', '4', '4.5%'].entries()) expect(texts[i]).toContain(value)
  },
)

function keysOf(text: string): string[] {
  return [...english].filter(([, value]) => value === text).map(([key]) => key)
}

function valuesOf(locale: string): Map<string, string> {
  const values = new Map<string, string>()
  for (const file of globSync(`{.,../../../packages/ui/src}/**/*.messages.${locale}.json`, { cwd: src })) {
    const messages = JSON.parse(readFileSync(join(src, file), 'utf8')) as Record<string, unknown>
    for (const [key, value] of Object.entries(messages)) if (typeof value === 'string') values.set(key, value)
  }
  return values
}
