import type { Page } from '@playwright/test'
import { changeReplies } from '../change-replies.ts'
import { newHolder, newPhone, stored } from '../people.ts'
import { WALLET_NAME } from '../signing-wallet.ts'
import { connectButton, stepsOf } from '../steps.ts'
import type { Locale } from '../texts.ts'
import { expect, openSwap, row, sharing, test, withoutDemoWallet } from './fixtures.ts'

for (const [id, flow] of sharing('5.01', '8.09')) {
  test(row(id), async ({ browser }) =>
    flow(async () => {
      const context = await newPhone(browser)
      const page = await context.newPage()
      await withoutDemoWallet(page)
      for (const [locale, text] of [
        ['en', 'No available wallet found'],
        ['zh-HK', '找不到可用的錢包'],
      ] as const)
        await expectInConnect(page, locale, text)
      await context.close()
    }),
  )
}

for (const [id, flow] of sharing('5.02', '8.10')) {
  test(row(id), async ({ browser }) =>
    flow(async () => {
      const { page, wallet, steps } = await newHolder(browser)
      await steps.open('/')
      wallet.respondWith('eth_requestAccounts', [])
      wallet.respondWith('wallet_requestPermissions', [
        { parentCapability: 'eth_accounts', caveats: [{ type: 'restrictReturnedAccounts', value: [] }] },
      ])
      await page.getByRole('button', { name: 'Connect', exact: true }).first().click()
      await page.getByRole('dialog').getByRole('button', { name: WALLET_NAME }).click()
      await expect(page.getByText('Invalid account', { exact: true }).first()).toBeVisible()
      expect(await stored(page, 'token')).toBeNull()
      await page.context().close()
    }),
  )
}

test(row('5.03'), async ({ browser }) => {
  for (const [locale, text] of [
    ['en', 'signature failed'],
    ['zh-HK', '簽署失敗，請再試一次'],
  ] as const) {
    const { page, wallet, steps } = await newHolder(browser, { locale })
    await steps.open('/')
    await readToSign(page, steps.t('nav_connect'))
    for (const fail of [
      () => wallet.refuse('personal_sign'),
      () => wallet.failWith('personal_sign', { code: -32000, message: 'The device is away' }),
    ]) {
      fail()
      await steps.button('session_sign_in_wallet').click()
      await expect(page.getByRole('dialog').getByText(text, { exact: true })).toBeVisible()
    }
    expect(await stored(page, 'token')).toBeNull()
    await page.context().close()
  }
})

test(row('5.04'), async ({ browser }) => {
  const context = await newPhone(browser)
  const page = await context.newPage()
  for (const [locale, text] of [
    ['en', 'Please connect to web3 wallet first'],
    ['zh-HK', '請先連接 Web3 錢包'],
  ] as const)
    await expectInConnect(page, locale, text)
  await context.close()
})

test(row('5.05'), async ({ member: { page, steps } }) => {
  const main = page.getByRole('main')
  const text = main.getByText('Please enter amount', { exact: true })
  await openSwap(page, steps, 'pair=BNBUSDT&sell=BNB')
  await page.getByRole('textbox', { name: steps.t('swap_sell'), exact: true }).fill('')
  await main.getByRole('button', { name: steps.t('swap_state_no_amount'), exact: true }).click()
  await expect(text).toBeVisible()
  await steps.open('/wallet/buy')
  await page.getByRole('textbox', { name: steps.t('wallet_amount'), exact: true }).fill('')
  await expect(text).toHaveCount(0)
  await steps.button('wallet_continue').click()
  await expect(text).toBeVisible()
})

for (const [rows, pair, sell, amount, text] of [
  [sharing('5.06', '8.12'), 'BNBUSDT', 'BNB', '100000', 'Balance not enough'],
  [sharing('5.10', '8.13'), 'RTUSDT', 'RT', '5', 'RT balance is insufficient'],
] as const) {
  for (const [id, flow] of rows)
    test(row(id), async ({ member: { page, steps } }) =>
      flow(async () => {
        await openSwap(page, steps, `pair=${pair}&sell=${sell}`)
        await page.getByRole('textbox', { name: steps.t('swap_sell'), exact: true }).fill(amount)
        const action = page.locator('.screen-action').getByRole('button')
        await expect(action).toHaveText(steps.t('swap_state_not_enough', { asset: sell }))
        await action.click()
        await expect(page.getByRole('main').getByText(text, { exact: true })).toBeVisible()
      }),
    )
}

for (const [rows, amount, text] of [
  [sharing('5.08', '9.47'), '0.5', 'The minimum transfer into Rollup is 10 USDT'],
  [sharing('5.09', '9.48'), '1000001', 'The maximum transfer into Rollup is 1,000,000 USDT'],
] as const) {
  for (const [id, flow] of rows)
    test(row(id), async ({ member: { page, steps, call } }) =>
      flow(async () => {
        await steps.open('/wallet/buy')
        await page.getByRole('radio', { name: 'USDT', exact: true }).click()
        await page.getByRole('textbox', { name: steps.t('wallet_amount'), exact: true }).fill(amount)
        await steps.button('wallet_continue').click()
        await expect(page.getByText(text, { exact: true })).toBeVisible()
        expect(await call('/Wallet/buy', { asset: 'USDT', amount })).toMatchObject({
          code: 20006,
          data: { min: '10', max: '1000000' },
        })
      }),
    )
}

for (const [id, flow] of sharing('5.11', '8.11')) {
  test(row(id), async ({ newcomer: { page, steps, call } }) =>
    flow(async () => {
      await steps.open('/swap/activate')
      await steps.button('payment_retrieve').click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox').fill('0x12')
      await dialog.getByRole('button', { name: steps.t('payment_retrieve_submit') }).click()
      await expect(dialog.getByText('Invalid input', { exact: true })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
      expect(await call('/Wallet/buy', { asset: 'USDT', amount: '1e3' })).toMatchObject({
        code: 20000,
        msg: 'Invalid input',
      })
    }),
  )
}

for (const [id, flow] of sharing('5.12', '6.03')) {
  test(row(id), async ({ newcomer: { page, steps, call } }) =>
    flow(async () => {
      await steps.open('/swap/exchange')
      const text = 'Please activate your account before operation'
      await expect(page.getByRole('main').getByText(text, { exact: true })).toBeVisible()
      await expect(page.getByRole('main').getByRole('link', { name: 'Activate Now' })).toBeVisible()
      const [{ id: pool_id }] = (await call('/SwapPool/pairs')).data
      const deadline = new Date(Date.now() + 600_000).toISOString()
      const payload = { pool_id, amount: '1', inverse: '1', min_amount_out: '0', deadline }
      expect(await call('/SwapPool/doSwap', payload)).toMatchObject({ code: 20003, msg: text })
      expect((await call('/SwapPool/doSwap', payload, 'zh-HK')).msg).toBe('請先啟用帳戶再操作')
    }),
  )
}

for (const [id, address, code] of [
  ['5.13', '0x1234', 20013],
  ['5.14', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92267', 20013],
] as const) {
  test(row(id), async ({ newcomer: { call, wallet } }) => {
    expect(await call('/DappUser/getNonce', { address })).toMatchObject({ code, msg: 'Invalid account' })
    for (const good of [wallet.account.address, wallet.account.address.toLowerCase()])
      expect((await call('/DappUser/getNonce', { address: good })).code).toBe(1)
  })
}

for (const [id, flow] of sharing('5.21', '9.09')) {
  test(row(id), async ({ browser }) =>
    flow(async () => {
      const context = await newPhone(browser)
      const page = await context.newPage()
      const request = page.waitForRequest('**/api/SwapPool/getQuote')
      await page.goto('/#/en/swap/exchange')
      expect(new URLSearchParams((await request).postData() ?? '').get('amount')).toBe('1')
      const rate = page.getByText(/^1 BNB ≈ /)
      await expect(rate).toBeVisible()
      expect((await rate.textContent())?.match(/\.(\d+) USDT/)?.[1]?.length ?? 0).toBeLessThanOrEqual(8)
      await context.close()
    }),
  )
}

test(row('9.45'), async ({ newcomer: { page, steps } }) => {
  await page.route('**/SwapPool/getActiveStatus', async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = await response.json()
    await route.fulfill({ response, json: { ...rest, data: { ...data, opens_at: '2030-01-01T01:00:00.000Z' } } })
  })
  await steps.open('/language')
  await steps.open('/swap/activate')
  await expect(page.getByText(steps.t('activation_closed'))).toBeVisible()
  await expect(
    page.getByRole('main').getByRole('button', { name: steps.t('activation_by_wallet_action') }),
  ).toBeDisabled()
  // A response may be on its way through the handler.
  await page.unrouteAll({ behavior: 'wait' })
})

test(row('8.03'), async ({ browser }) => {
  const { page, steps } = await newHolder(browser)
  const msg = 'The server says: no text now.'
  await page.route('**/DappUser/getNonce', (route) => route.fulfill({ json: { code: 50300, msg, data: null } }))
  await steps.open('/')
  await page.getByRole('button', { name: 'Connect', exact: true }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: WALLET_NAME }).click()
  await expect(page.getByRole('dialog').getByText(msg)).toBeVisible()
  await page.context().close()
})

test(row('8.04'), async ({ browser }) => {
  const { page, steps } = await newHolder(browser)
  const msg = 'The server says: not signed by you.'
  await page.route('**/DappUser/login', (route) => route.fulfill({ json: { code: 20012, msg, data: null } }))
  await steps.open('/')
  await readToSign(page, 'Connect')
  await steps.button('session_sign_in_wallet').click()
  await expect(page.getByRole('dialog').getByText(msg)).toBeVisible()
  await page.context().close()
})

test(row('8.14'), async ({ browser }) => {
  const context = await newPhone(browser)
  const page = await context.newPage()
  await changeReplies(page, '**/SwapPool/pairs', ({ data, ...rest }) => ({
    ...rest,
    data: data.map((pair: object) => ({ ...pair, suspended: true })),
  }))
  await page.goto('/#/en/swap/exchange')
  await expect(page.getByRole('main').getByText('Trading suspended', { exact: true }).first()).toBeVisible()
  await context.close()
})

test(row('8.08'), async ({ newcomer: { page, steps } }) => {
  const refusal = { code: 20010, msg: '', data: null }
  await page.route('**/api/Local/faucet', (route) => route.fulfill({ json: refusal }))
  await steps.open('/wallet')
  await steps.button('wallet_faucet').click()
  await expect(page.getByRole('alertdialog').getByText('Failed', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.unroute('**/api/Local/faucet')
})

test(row('8.05'), async ({ reader: { page, wallet, steps } }) => {
  wallet.failWith('personal_sign', { code: -32000, message: 'The device is locked' })
  await steps.button('session_sign_in_wallet').click()
  await expect(toast(page, 'The device is locked')).toBeVisible()
})

function toast(page: Page, text: string) {
  return page.getByText(text, { exact: true }).first()
}

/** Checks a text in the choice of a wallet. */
async function expectInConnect(page: Page, locale: Locale, text: string): Promise<void> {
  const { open, t } = stepsOf(page, locale)
  await open('/')
  await connectButton(page, t).click()
  await expect(page.getByRole('dialog').getByText(text, { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

async function readToSign(page: Page, connect: string): Promise<void> {
  await page.getByRole('button', { name: connect, exact: true }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: WALLET_NAME }).click()
}
