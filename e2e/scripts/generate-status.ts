import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FEATURES } from '@clearwell/server/src/features.ts'

/**
 * Writes the table of features into both READMEs, from the server's list. With `--check` it only says whether the tables are
 * up to date.
 */
const root = join(import.meta.dirname, '../..')

/** Each feature in a few words. A feature that is not in this list appears by its name. */
const WORDS: Readonly<Record<string, { readonly en: string; readonly 'zh-HK': string }>> = {
  session: { en: 'Sign in with a wallet signature', 'zh-HK': '以錢包簽署登入' },
  activation: { en: 'Activate an account, by wallet or by balance', 'zh-HK': '以錢包或餘額啟用帳戶' },
  market: { en: 'Markets: spot prices, candles, trades', 'zh-HK': '市場：現貨價、陰陽燭圖、成交紀錄' },
  swap: { en: 'Swap in pools, with limits and receipts', 'zh-HK': '閃兌：設有價格限度，並附收據' },
  plan: { en: 'Planned swaps: limits and schedules', 'zh-HK': '預設閃兌：限價及定期' },
  wallet: { en: 'Transfer in and out, custody in a vault contract', 'zh-HK': '轉入及轉出，款項存於保管庫合約' },
  history: { en: 'Balance log, summary, transactions, CSV', 'zh-HK': '餘額明細、資產總覽、交易紀錄及 CSV' },
  alert: { en: 'Price alerts, also by Web Push', 'zh-HK': '到價提示，可以 Web Push 接收' },
  notice: { en: 'Notices with an unread badge', 'zh-HK': '通知及未讀標記' },
  proof: { en: 'Proof of reserves, repeated in your browser', 'zh-HK': '儲備證明，可用瀏覽器自行核對' },
  stake: { en: 'Pledge, and borrow against collateral', 'zh-HK': '質押及抵押借貸' },
  liquidation: { en: 'Liquidation market', 'zh-HK': '清算市場' },
  'blind-box': { en: 'Daily blind box with verifiable draws', 'zh-HK': '每日盲盒，抽取結果可驗證' },
  node: { en: 'My node: power, streak, income', 'zh-HK': '我的節點：算力、連續點擊日數、收益' },
  team: { en: 'Team and referral', 'zh-HK': '團隊及邀請好友' },
  rank: { en: 'Rankings', 'zh-HK': '排行榜' },
  rich: { en: 'Upgrade hub (RT)', 'zh-HK': '共贏升級（RT）' },
}

const isCheck = process.argv.includes('--check')
for (const [file, locale, head, state] of [
  ['README.md', 'en', '| feature | status |', 'open'],
  ['README.zh-HK.md', 'zh-HK', '| 功能 | 狀態 |', '已開放'],
] as const) {
  const rows = FEATURES.map(({ name }) => `| ${WORDS[name]?.[locale] ?? `\`${name}\``} | ${state} |`)
  const path = join(root, file)
  const text = readFileSync(path, 'utf8')
  const table = ['<!-- status: npm run generate -w e2e -->', '', head, '|---|---|', ...rows, '', '<!-- end -->'].join(
    '\n',
  )
  const next = text.replace(/<!-- status: [\s\S]*?<!-- end -->/, () => table)
  if (next === text) continue
  if (!isCheck) writeFileSync(path, next)
  else {
    process.stderr.write(`${file} is out of date: run npm run generate -w e2e\n`)
    process.exitCode = 1
  }
}
