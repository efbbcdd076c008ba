import { newHolder, newPhone, recordCalls, stored } from '../people.ts'
import { installWallet } from '../signing-wallet.ts'
import { stepsOf } from '../steps.ts'
import { expect, openSwap, preventUserActivation, row, sharing, test, withoutDemoWallet } from './fixtures.ts'

const usdtOf = (
  balances: { asset: string; total: string; available: string; locked: string; value_usdt: string }[],
) => {
  const found = balances.find(({ asset }) => asset === 'USDT')
  if (!found) throw new Error('the member has no USDT')
  return found
}

const form = (body: string) => Object.fromEntries(new URLSearchParams(body))

test(row('7.02'), async ({ member: { calls } }) => {
  expect(new Set(calls.map(({ headers }) => headers['xx-device-type']))).toEqual(new Set(['web']))
})

for (const [id, flow] of sharing('7.03', '6.02')) {
  test(row(id), async ({ member: { calls } }) =>
    flow(async () => {
      const login = calls.findIndex(({ path }) => path === '/DappUser/login')
      const tokens = calls.map(({ headers }) => headers['xx-token'])
      expect(tokens.slice(0, login + 1).every((token) => token === undefined)).toBe(true)
      const own = calls.filter(({ path }) => path === '/Wallet/balances' || path === '/profile/userinfo')
      expect(own.length).toBeGreaterThan(0)
      for (const { headers } of own) expect(headers['xx-token']).toMatch(/^[\w-]{20,}$/)
    }),
  )
}

test(row('7.04'), async ({ member: { calls, call } }) => {
  const posts = calls.filter(({ method, body }) => method === 'POST' && body !== '')
  expect(posts.length).toBeGreaterThan(0)
  for (const { headers } of posts) expect(headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/)
  // The server reads nested brackets: an object instead of text is refused.
  expect((await call('/spot/ticker', { 'symbol[a]': 'BNBUSDT' })).code).toBe(20000)
})

for (const [id, flow] of sharing('7.07', '3.10')) {
  test(row(id), async ({ member: { calls, wallet, call } }) =>
    flow(async () => {
      const request = calls.find(({ path }) => path === '/DappUser/getNonce')
      expect(request?.method).toBe('POST')
      expect(form(request?.body ?? '')).toEqual({ address: wallet.account.address })
      const { data } = await call('/DappUser/getNonce', { address: wallet.account.address })
      expect(Object.keys(data)).toEqual(['nonceStr'])
      expect(data.nonceStr).toContain(wallet.account.address)
    }),
  )
}

for (const [id, flow] of sharing('7.08', '3.09')) {
  test(row(id), async ({ member: { calls, wallet, page } }) =>
    flow(async () => {
      const request = calls.find(({ path }) => path === '/DappUser/login')
      expect(request?.method).toBe('POST')
      expect(form(request?.body ?? '')).toEqual({
        pid: 'NOBODY42',
        address: wallet.account.address,
        signature: expect.stringMatching(/^0x[0-9a-f]+$/),
        device_type: 'web',
      })
      // The stored user is the one in the response.
      expect(await stored(page, 'token')).toBeTruthy()
      expect(await stored(page, 'user')).toBeTruthy()
    }),
  )
}

test(row('7.09'), async ({ member: { calls } }) => {
  // The member arrived at `/?pid=NOBODY42#/en`.
  expect(form(calls.find(({ path }) => path === '/DappUser/login')?.body ?? '').pid).toBe('NOBODY42')
})

test(row('7.10'), async ({ member: { page, wallet, calls } }) => {
  expect(calls.some(({ method, path }) => method === 'GET' && path === '/profile/userinfo')).toBe(true)
  const headers = { 'XX-Device-Type': 'web', 'XX-Token': (await stored(page, 'token')) ?? '' }
  const { code, data } = await (await page.request.get('/api/profile/userinfo', { headers })).json()
  expect(code).toBe(1)
  expect(data).toMatchObject({ address: wallet.account.address, activated: true })
})

for (const [id, flow] of sharing('7.13', '1.05', '2.81')) {
  test(row(id), async ({ member: { calls, call } }) =>
    flow(async () => {
      const requests = calls.filter(({ path }) => path === '/SwapPool/activeByBalance')
      expect(requests.map(({ method, body }) => [method, body])).toEqual([['POST', '']])
      expect((await call('/SwapPool/getActiveStatus')).data.status).toBe(2)
    }),
  )
}

for (const [id, flow] of sharing('7.14', '3.12')) {
  test(row(id), async ({ member: { call } }) =>
    flow(async () => {
      const { code, data } = await call('/SwapPool/pairs')
      expect(code).toBe(1)
      expect(data.length).toBeGreaterThan(1)
      for (const { id: pool } of data) expect(pool).toEqual(expect.any(String))
      expect((await call('/SwapPool/getQuote', { pool_id: data[0].id, amount: '1', inverse: '0' })).code).toBe(1)
    }),
  )
}

test(row('7.15'), async ({ member: { page, steps, call } }) => {
  const [{ base, quote }] = (await call('/SwapPool/pairs')).data
  await steps.open('/swap/exchange')
  await expect(page.getByRole('button', { name: `${base}/${quote} ${steps.t('swap_choose_pair')}` })).toBeVisible()
})

for (const [id, flow] of sharing('7.16', '3.13')) {
  test(row(id), async ({ member: { page, steps, call } }) =>
    flow(async () => {
      await openSwap(page, steps, 'pair=BNBUSDT&sell=BNB')
      const quoteOf = (amount: string) =>
        page.waitForResponse(
          (response) =>
            response.url().endsWith('/getQuote') && form(response.request().postData() ?? '').amount === amount,
        )
      const forward = quoteOf('1.5')
      await page.getByRole('textbox', { name: steps.t('swap_sell'), exact: true }).fill('1.5')
      const [{ id: pool }] = (await call('/SwapPool/pairs')).data
      expect(form((await forward).request().postData() ?? '')).toEqual({ pool_id: pool, amount: '1.5', inverse: '0' })
      const { data } = await (await forward).json()
      expect(Number(data.amount_out)).toBeGreaterThan(0)
      expect(Number(data.amount_out_orginal)).toBeGreaterThan(Number(data.amount_out))
      await steps.button('swap_flip').click()
      const back = quoteOf('7')
      await page.getByRole('textbox', { name: steps.t('swap_sell'), exact: true }).fill('7')
      expect(form((await back).request().postData() ?? '').inverse).toBe('1')
    }),
  )
}

for (const [id, flow] of sharing('7.21', '3.14', '9.08')) {
  test(row(id), async ({ member: { call } }) =>
    flow(async () => {
      expect((await call('/spot/ticker', { symbol: 'ETHUSDT' })).data.symbol).toBe('ETHUSDT')
      expect((await call('/spot/ticker')).data.symbol).toBe('BNBUSDT')
    }),
  )
}

for (const [id, flow] of sharing('7.23', '3.15')) {
  test(row(id), async ({ member: { call } }) =>
    flow(async () => {
      const envelope = await call('/SwapPool/pairs')
      expect(Object.keys(envelope).sort()).toEqual(['code', 'data', 'msg'])
      expect(envelope.code).toBe(1)
    }),
  )
}

for (const [id, flow] of sharing('7.24', '8.01')) {
  test(row(id), async ({ newcomer: { page, steps } }) =>
    flow(async () => {
      await steps.open('/wallet')
      const msg = 'The server says why.'
      await page.route('**/api/Local/faucet', (route) => route.fulfill({ json: { code: 20010, msg, data: null } }))
      await steps.button('wallet_faucet').click()
      const dialog = page.getByRole('alertdialog')
      await expect(dialog.getByText(msg)).toBeVisible()
      await dialog.getByRole('button', { name: steps.t('app_got_it') }).click()
      await expect(dialog).toHaveCount(0)
      await expect(page.getByText(/10 BNB · 10,000 USDT/)).toHaveCount(0)
      await page.unroute('**/api/Local/faucet')
    }),
  )
}

for (const [id, flow] of sharing('7.24', '8.01')) {
  test(`${row(id)}, over a sheet`, async ({ newcomer: { page, steps } }) =>
    flow(async () => {
      const msg = 'The server says why.'
      await page.route('**/api/SwapPool/active', (route) => route.fulfill({ json: { code: 20010, msg, data: null } }))
      await steps.open('/swap/activate')
      await steps.button('activation_by_wallet_action').click()
      const sheet = page.getByRole('dialog')
      await sheet.getByRole('button', { name: steps.t('payment_open_wallet') }).click()
      const dialog = page.getByRole('alertdialog')
      await expect(dialog.getByText(msg, { exact: true })).toBeVisible()
      // Escape closes the message alone, and the sheet explains the failure, too.
      await expect(dialog.locator(':focus')).toHaveCount(1)
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
      await expect(sheet.getByText(msg)).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(sheet).toHaveCount(0)
      await page.unroute('**/api/SwapPool/active')
    }))
}

for (const [id, flow] of sharing('7.37', '7.38', '7.40')) {
  test(row(id), async ({ newcomer: { page, steps } }) =>
    flow(async () => {
      const bodies: { jsonrpc: string; id: unknown; method: string }[][] = []
      const node = `http://127.0.0.1:${process.env.E2E_CHAIN_PORT}`
      page.on('request', (request) => {
        if (!request.url().startsWith(node) || request.method() !== 'POST') return
        expect(request.headers()['content-type']).toMatch(/^application\/json/)
        bodies.push([request.postDataJSON()].flat())
      })
      await steps.open('/wallet/buy')
      await page.reload()
      await expect.poll(() => bodies.flat().length).toBeGreaterThan(2)
      for (const body of bodies.flat()) {
        expect(body).toMatchObject({ jsonrpc: '2.0', id: expect.any(Number), method: expect.any(String) })
      }
      // Simultaneous calls are sent as one batch.
      await expect.poll(() => bodies.some((batch) => batch.length > 1)).toBe(true)
    }),
  )
}

test(row('7.41'), async ({ page, request }) => {
  const { id } = await (await request.get('/builds/latest.json')).json()
  const meta = await request.get(`/builds/meta/${id}.json`)
  expect(await meta.json()).toMatchObject({ id, builtAt: expect.any(String), assets: expect.any(Array) })
  await page.goto('/')
  await expect(page.locator('meta[name="build"]')).toHaveAttribute('content', id)
})

for (const [id, flow] of sharing('7.42', '4.35')) {
  test(row(id), async ({ browser }) =>
    flow(async () => {
      const context = await newPhone(browser)
      const page = await context.newPage()
      let requests = 0
      await page.clock.install()
      await page.route('**/builds/latest.json', (route) => {
        requests += 1
        return route.fulfill({ json: { id: 'newer', builtAt: '2030-01-01T00:00:00.000Z' } })
      })
      const described = page.waitForResponse('**/builds/meta/newer.json')
      await page.route('**/builds/meta/newer.json', (route) =>
        route.fulfill({ json: { id: 'newer', builtAt: '2030-01-01T00:00:00.000Z' } }),
      )
      await page.goto('/#/en/language')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.evaluate(() => Object.assign(window, { stillTheSame: true }))
      const before = requests
      await page.clock.runFor(60_000)
      await described
      expect(requests).toBe(before + 1)
      expect(await page.evaluate(() => 'stillTheSame' in window)).toBe(true)
      const reloaded = page.waitForEvent('load')
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Wallet' }).click()
      await reloaded
      await expect(page).toHaveURL(/#\/en\/wallet$/)
      await context.close()
    }),
  )
}

test(row('7.43'), async ({ browser }) => {
  // A new page, since an earlier visit has stored the payload.
  const context = await newPhone(browser)
  const page = await context.newPage()
  const { t, open } = stepsOf(page, 'en')
  await open('/language')
  const tabs = page.getByRole('navigation', { name: t('nav_main') })
  const methods: string[] = []
  page.on('request', (sent) => {
    if (sent.url().endsWith('/en/wallet/_payload.json')) methods.push(sent.method())
  })
  // Ahead of the click. A pointer that arrived before the app was ready must move to be noticed.
  await expect(async () => {
    await page.mouse.move(5, 5)
    await tabs.getByRole('link', { name: t('nav_wallet'), exact: true }).hover()
    await expect.poll(() => methods, { timeout: 1_000 }).toContain('GET')
  }).toPass()
  await context.close()
})

test(row('7.44'), async ({ browser, request }) => {
  const context = await newPhone(browser)
  const page = await context.newPage()
  const iconRequest = page.waitForRequest(/\/icons\/\w+\.json\?icons=/)
  await page.goto('/#/en/referral')
  const url = new URL((await iconRequest).url())
  const names = url.searchParams.get('icons')?.split(',') ?? []
  const { icons } = await (await request.get(url.href)).json()
  expect(Object.keys(icons).sort()).toEqual(names.toSorted())
  await context.close()
})

test(row('6.01'), async ({ browser }) => {
  const context = await newPhone(browser)
  const page = await context.newPage()
  const calls = recordCalls(page)
  await preventUserActivation(page)
  await page.goto('/#/en/wallet')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(calls.filter(({ path }) => path.startsWith('/Wallet/') || path.startsWith('/profile/'))).toEqual([])
  const envelope = await page.request.post('/api/Wallet/balances', { headers: { 'XX-Device-Type': 'web' } })
  expect((await envelope.json()).code).toBe(10001)
  await context.close()
})

test(row('2.65'), async ({ browser }) => {
  const { page, steps, wallet } = await newHolder(browser)
  await withoutDemoWallet(page)
  await steps.open('/')
  await page.getByRole('button', { name: 'Connect', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  // The first connector, window.ethereum, is not listed: only the announced wallet is.
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
  await expect(dialog.getByRole('button', { name: wallet.name })).toBeVisible()
  await page.context().close()
})

test(`${row('2.65')}, alone`, async ({ browser }) => {
  const context = await newPhone(browser)
  const page = await context.newPage()
  await page.addInitScript(() => Object.assign(window, { ethereum: { request: async () => [], on: () => {} } }))
  await withoutDemoWallet(page)
  const { t, open } = stepsOf(page, 'en')
  await open('/')
  await page.getByRole('button', { name: 'Connect', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  // Without any other wallet the list stays empty, and the first connector has a separate button.
  await expect(dialog.getByRole('button', { name: t('connector_generic') })).toBeVisible()
  await expect(dialog.getByRole('listitem')).toHaveCount(0)
  await context.close()
})

test(row('2.66'), async ({ browser }) => {
  const context = await newPhone(browser)
  const { name } = await installWallet(context)
  const [first, second] = [await context.newPage(), await context.newPage()]
  for (const page of [first, second]) {
    await page.goto('/#/en')
    await page.getByRole('button', { name: 'Connect', exact: true }).first().click()
    await expect(page.getByRole('dialog').getByRole('button', { name })).toBeVisible()
  }
  const choice = first.getByRole('dialog').getByRole('button', { name })
  await expect(choice.getByText('Selected')).toHaveCount(0)
  // The other tab connects the wallet, and the open list in this tab follows.
  await second.getByRole('dialog').getByRole('button', { name }).click()
  await expect(choice.getByText('Selected')).toBeAttached()
  await context.close()
})

test(row('2.77'), async ({ member: { page, steps, call } }) => {
  await steps.open('/wallet')
  const { total, value_usdt: value } = usdtOf((await call('/Wallet/balances')).data)
  expect(Number(total)).toBeGreaterThan(0)
  const rows = page.getByRole('region', { name: 'Assets' }).getByRole('listitem')
  const balance = rows.filter({ has: page.getByText('USDT', { exact: true }) })
  await expect(balance.getByTitle(total, { exact: true }).first()).toBeVisible()
  await expect(balance).toContainText(`≈ ${Number(value).toFixed(2)} USDT`)
})

for (const [id, label, part] of [
  ['2.78', 'Available', 'available'],
  ['2.79', 'Locked', 'locked'],
] as const) {
  test(row(id), async ({ member: { page, steps, call } }) => {
    await steps.open('/wallet')
    // All of the member's value is in USDT.
    const value = Number(usdtOf((await call('/Wallet/balances')).data)[part]).toFixed(2)
    const parts = page.getByLabel(steps.t('wallet_balance_parts')).locator('div')
    await expect(parts.filter({ has: page.getByText(label, { exact: true }) })).toHaveText(`${label}${value}`)
  })
}

test(row('2.84'), async ({ member: { page, steps } }) => {
  await steps.open('/wallet')
  await page.getByRole('main').getByRole('link', { name: 'Balance log' }).click()
  await expect(page).toHaveURL(/#\/en\/wallet\/logs$/)
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: '+500' }).first()).toBeVisible()
})

for (const [id, flow] of sharing('1.16', '2.85')) {
  test(row(id), async ({ member: { page, steps, call } }) =>
    flow(async () => {
      const [{ tx_hash: hash }] = (await call('/Wallet/buyOrders')).data.items
      await steps.open('/wallet')
      await page.getByRole('main').getByRole('link', { name: 'Transaction History' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Transaction History' })).toBeVisible()
      const own = page.getByRole('article').filter({ has: page.getByTitle(hash) })
      await expect(own.getByText('Transfer in', { exact: true })).toBeVisible()
      await expect(own.getByTitle('500 USDT')).toBeVisible()
      await expect(own.getByText('Confirmed', { exact: true })).toBeVisible()
    }),
  )
}

for (const [id, flow] of sharing('2.82', '2.83')) {
  test(row(id), async ({ member: { page, steps, call } }) =>
    flow(async () => {
      const [{ tx_hash: hash }] = (await call('/Wallet/buyOrders')).data.items
      await steps.open('/wallet')
      await steps.button('wallet_retrieve').click()
      const dialog = page.getByRole('dialog', { name: 'Retrieve transaction' })
      await dialog.getByLabel('Transaction hash').fill(hash)
      await dialog.getByRole('button', { name: steps.t('payment_retrieve_submit') }).click()
      await expect(dialog.getByText(steps.t('payment_retrieve_already', { amounts: '500 USDT' }))).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(dialog).toHaveCount(0)
    }),
  )
}
