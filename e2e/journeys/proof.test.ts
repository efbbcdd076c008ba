import { expect, type Locator, type Page, test } from '@playwright/test'
import { formatUnits } from 'viem'
import { chainControl, TOKEN_ABI } from '../chain.ts'
import { changeReplies } from '../change-replies.ts'
import { newPhone } from '../people.ts'
import { stepsOf } from '../steps.ts'
import type { Locale } from '../texts.ts'

interface RpcCall {
  readonly method: string
  readonly params: readonly unknown[]
}

/** The result of one call of the browser to the chain's node, to be changed by a test. */
type Tamper = (call: RpcCall, result: unknown) => unknown

/** Opens home, and the sheet in which the browser reads the chain. */
async function openProof(page: Page, locale: Locale = 'en') {
  const steps = stepsOf(page, locale)
  await steps.open('/')
  const card = page.getByRole('region', { name: steps.t('proof_title'), exact: true })
  const sheet = page.getByRole('dialog', { name: steps.t('proof_sheet_title'), exact: true })
  await card.getByRole('button', { name: steps.t('proof_open') }).click()
  return { ...steps, card, sheet, usdt: sheet.getByRole('region', { name: 'USDT', exact: true }) }
}

/** A proxy between the browser and the node: forwards every call, and changes the results. */
async function tamperWithNode(page: Page, tamper: Tamper): Promise<void> {
  await page.route(`http://127.0.0.1:${process.env.E2E_CHAIN_PORT}/**`, async (route) => {
    const calls = route.request().postDataJSON() as RpcCall | RpcCall[]
    const response = await route.fetch()
    const replies = await response.json()
    const change = (call: RpcCall, reply: { result: unknown }) => ({ ...reply, result: tamper(call, reply.result) })
    const json = Array.isArray(calls)
      ? calls.map((call, index) => change(call, replies[index]))
      : change(calls, replies)
    await route.fulfill({ response, json })
  })
}

test('the browser confirms the reserves with an honest node', async ({ browser }) => {
  const context = await newPhone(browser, 'zh-HK')
  const page = await context.newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).port))
  const { t, card, sheet, usdt } = await openProof(page, 'zh-HK')
  await expect(sheet.getByText(t('proof_confirmed'), { exact: true })).toBeVisible()
  expect(asked).toContain(process.env.E2E_CHAIN_PORT)
  const figures = usdt.getByRole('definition').locator('span[title]')
  const [owed, vault, read] = await figures.evaluateAll((all) => all.map((each) => each.getAttribute('title')))
  expect(vault).toBe(read)
  expect(owed).toBe(read)
  expect(read).toBe(await readHolding(page, Number(await blockOf(sheet, t('proof_block')))))
  await page.keyboard.press('Escape')
  await expect(card).toContainText(t('proof_holds', { amount: '' }).trim())
  await context.close()
})

test('a lying node turns the proof red, one that recovers confirms it', async ({ browser }) => {
  const context = await newPhone(browser)
  const page = await context.newPage()
  let tamper: Tamper = ({ method }, result) => (method === 'eth_call' ? plusOne(result) : result)
  await tamperWithNode(page, (call, result) => tamper(call, result))
  const { t, sheet, usdt, button } = await openProof(page)
  await expect(sheet.getByText(t('proof_other_balances'), { exact: true })).toBeVisible()
  await expect(usdt.getByText(t('proof_differs', { amount: '0.000000000000000001 USDT' }))).toBeVisible()
  await expect(sheet.getByRole('region', { name: 'BNB', exact: true }).getByText(t('proof_same'))).toBeVisible()

  tamper = ({ method }, result) =>
    method === 'eth_getBlockByNumber' ? { ...(result as object), hash: `0x${'ab'.repeat(32)}` } : result
  await button('proof_again').click()
  await expect(sheet.getByText(t('proof_other_block'), { exact: true })).toBeVisible()

  tamper = (_call, result) => result
  await button('proof_again').click()
  await expect(sheet.getByText(t('proof_confirmed'), { exact: true })).toBeVisible()
  await context.close()
})

test('an absent node confirms nothing, and a shortfall is shown', async ({ browser }) => {
  const context = await newPhone(browser)
  const page = await context.newPage()
  await page.route(`http://127.0.0.1:${process.env.E2E_CHAIN_PORT}/**`, (route) => route.abort())
  await changeReplies(page, '**/api/proof/reserves', ({ data, ...envelope }) => {
    const assets = data.assets.map((each: { asset: string; owed: string }) =>
      each.asset === 'BNB'
        ? { ...each, vault: '1', owed: '1.000000000000000001', difference: '-0.000000000000000001' }
        : each,
    )
    return { ...envelope, data: { ...data, assets, healthy: false, fault: 'missing' } }
  })
  const { t, card, sheet, usdt } = await openProof(page)
  await expect(sheet.getByText(t('proof_absent'), { exact: true })).toBeVisible()
  await expect(usdt.getByText(t('proof_not_read'))).toBeVisible()
  await expect(sheet.getByText(t('proof_confirmed'), { exact: true })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(card.getByText(t('proof_missing', { amount: '0.000000000000000001 BNB' }))).toBeVisible()
  await context.close()
})

/** The block that the sheet names. */
async function blockOf(sheet: Locator, label: string): Promise<string> {
  const value = sheet.getByRole('term').filter({ hasText: new RegExp(`^${label}$`) })
  return ((await value.locator('xpath=following-sibling::dd').textContent()) ?? '').replaceAll(',', '')
}

/** Reads the vault's USDT after a block, without the app. */
async function readHolding(page: Page, block: number): Promise<string> {
  const { vault, assets } = (await (await page.request.get('/api/config')).json()).data
  const { address } = assets.find((each: { asset: string }) => each.asset === 'USDT')
  const call = {
    address,
    abi: TOKEN_ABI,
    functionName: 'balanceOf',
    args: [vault],
    blockNumber: BigInt(block),
  } as const
  return formatUnits(await chainControl().readContract(call), 18)
}

function plusOne(word: unknown): string {
  return `0x${(BigInt(word as string) + 1n).toString(16).padStart(64, '0')}`
}
