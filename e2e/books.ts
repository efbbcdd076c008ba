import { readFile } from 'node:fs/promises'
import { expect } from '@playwright/test'
import { formatUnits, parseUnits } from 'viem'
import type { Holder } from './people.ts'

const COLUMNS = ['time', 'entry', 'kind', 'asset', 'amount', 'balance_after', 'place', 'reference'] as const

export type LogLine = Readonly<Record<(typeof COLUMNS)[number], string>>

/** Exports the filtered log with the button and reads the file. Oldest first. */
export async function exportLog({ page, steps }: Holder): Promise<LogLine[]> {
  // Another screen, which is shown until this one has loaded, may have an export too.
  await expect(page.getByRole('heading', { level: 1, name: steps.t('title_wallet_logs') })).toBeAttached()
  const saved = page.waitForEvent('download')
  await steps.button('history_export').click()
  const file = await (await saved).path()
  const [head, ...lines] = (await readFile(file, 'utf8')).trimEnd().split('\r\n')
  expect(head).toBe(COLUMNS.join())
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [COLUMNS[i], cell])) as LogLine)
}

/** The available balance of an asset, from the server. */
export async function availableOf({ call }: Holder, asset: string): Promise<string> {
  const { data } = await call('/Wallet/balances')
  return data.find((each: { asset: string }) => each.asset === asset).available
}

/**
 * Checks that log, balances, summary and transactions of an account agree to the unit.
 *
 * @param log the whole log, unfiltered.
 * @returns the transactions, newest first.
 */
export async function expectBooksAgree({ call }: Holder, log: readonly LogLine[]) {
  const [balances, summary, transactions] = await Promise.all(
    ['/Wallet/balances', '/Wallet/summary', '/Wallet/transactions'].map(async (path) => (await call(path)).data),
  )
  for (const { asset, total, available, locked } of balances) {
    const ofAsset = log.filter((line) => line.asset === asset)
    expect(sum(ofAsset.map(({ amount }) => amount)), `the log of ${asset}`).toBe(total)
    for (const [place, amount] of [
      ['available', available],
      ['locked', locked],
    ]) {
      const last = ofAsset.filter((line) => line.place === place).at(-1)
      expect(last?.balance_after ?? '0', `${asset} ${place}`).toBe(amount)
    }
    const shown = summary.by_asset.find((each: { asset: string }) => each.asset === asset)
    expect(shown?.amount ?? '0', `the summary of ${asset}`).toBe(total)
  }
  const { total_usdt: whole, by_asset: assets, history } = summary
  expect(sum(assets.map((each: { value_usdt: string }) => each.value_usdt))).toBe(whole)
  expect(history.at(-1).value_usdt).toBe(whole)
  return transactions.items as { kind: string; asset: string; amount: string; tx_hash: string; status: string }[]
}

function sum(amounts: readonly string[]): string {
  return formatUnits(
    amounts.reduce((total, amount) => total + parseUnits(amount, 18), 0n),
    18,
  )
}
