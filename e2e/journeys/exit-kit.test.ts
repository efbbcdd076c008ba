import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { HELD, type KitChain, startKitChain } from '../kit-chain.ts'
import { endByCalldata, kitOn, leaveByCalldata, saveKit } from '../kit-page.ts'

let chain: KitChain
let saved: Awaited<ReturnType<typeof saveKit>>
test.beforeAll(async () => {
  ;[chain, saved] = await Promise.all([startKitChain(), saveKit()])
})
test.afterAll(async () => {
  await chain.stop()
  await saved.remove()
})

test('an account leaves with three assets by a file, a node and nothing else', async ({ browser }) => {
  const account = privateKeyToAccount(generatePrivateKey()).address.toLowerCase() as `0x${string}`
  const proof = await chain.deposit(account)
  const page = await browser.newPage({ locale: 'en' })
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).origin))
  await page.goto(saved.url)
  const kit = kitOn(page)
  await kit.addProof(proof)
  await expect(page.locator('#data-header')).toContainText('Header 2 of')
  expect(await kit.signs()).toEqual(['✓', '✓', '✓', '✓', '?'])
  await kit.read(chain.rpcUrl)
  await expect(page.locator('#base')).toContainText('This is the newest root.')
  expect(await kit.signs()).toEqual(['✓', '✓', '✓', '✓', '✓'])

  const to = privateKeyToAccount(generatePrivateKey()).address
  await typeDuringRead(page, chain, to)
  await leaveByCalldata(page, chain, { account, to })
  expect(await chain.balancesOf(to)).toEqual(HELD)
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120))])).toEqual([])
  // The file, and the node that the user chose.
  expect([...new Set(requests)]).toEqual(['null', new URL(chain.rpcUrl).origin])
  await page.close()
})

test('after the end an account claims by published data and an old proof', { tag: '@night' }, async ({ browser }) => {
  const newAddress = () => privateKeyToAccount(generatePrivateKey()).address.toLowerCase() as `0x${string}`
  const [account, other, to] = [newAddress(), newAddress(), newAddress()]
  const old = await chain.deposit(account)
  await chain.deposit(other)
  // Of 80 USDT that the vault owes, a quarter is missing.
  await chain.lose('USDT', (2n * HELD.USDT) / 4n)
  const page = await browser.newPage({ locale: 'en' })
  await page.goto(saved.url)
  const kit = kitOn(page)
  await kit.addFiles({ 'proof.json': old, 'headers.jsonl': chain.headerLines() })
  await kit.read(chain.rpcUrl)
  await kit.expectRead()
  await expect(page.locator('#short')).toContainText('The vault owes 80 USDT and holds 60.')
  await chain.paste(other, await kit.calldata('note-short-USDT'))
  await kit.read()
  await expect(page.locator('#short')).toContainText('If the asset is still short on')
  await expect(kit.card('note-short-USDT')).toHaveCount(0)
  await endByCalldata(page, chain, other)
  await expect(page.locator('#claim-says')).toContainText('You need your path in header')

  const [first = '', ...rest] = chain.dataLines().split('\n')
  await kit.addFiles({ 'data.jsonl': rest.join('\n'), 'keys.json': chain.publishedKeys() })
  await page.locator('#build-do').click()
  await expect(page.locator('#build-says')).toContainText('Line 1 was changed, or one before it is missing.')
  await kit.addFiles({ 'first.jsonl': first })
  await page.locator('#build-do').click()
  await kit.typeDestination(to)
  await expect(page.locator('#claim-USDT-part')).toContainText('Everyone gets 75%.')
  expect(await kit.signs()).toEqual(['✓', '✓', '✓', '✓', '✓'])
  await expect(page.locator('#claim-USDT .amounts')).toHaveText('Your amount40 USDTYou receive30 USDT')
  await expect(page.locator('#claim-BNB-part')).toContainText('you get your whole amount')
  for (const asset of ['BNB', 'USDT', 'ETH']) {
    const id = `claim-${asset}`
    await chain.paste(account, await kit.calldata(id), await kit.target(id))
    await kit.read()
    await expect(page.locator(`#${id}`)).toHaveText(`✓ Nothing of ${asset} is left`)
  }
  expect(await chain.balancesOf(to)).toEqual({ ...HELD, USDT: (HELD.USDT * 3n) / 4n })
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120))])).toEqual([])
  await page.close()
})

/** Types the destination while a read waits for the node. The text must stay when the read ends, and count on leaving the field. */
async function typeDuringRead(page: Page, { rpcUrl }: KitChain, to: Hex): Promise<void> {
  const kit = kitOn(page)
  const held = Promise.withResolvers<void>()
  const isNode = (url: URL) => url.origin === new URL(rpcUrl).origin
  await page.route(isNode, async (route) => {
    await held.promise
    await route.continue()
  })
  await kit.read()
  const field = page.locator('#to')
  await field.fill(to)
  held.resolve()
  await kit.expectRead()
  await expect(field).toBeFocused()
  await expect(field).toHaveValue(to)
  await field.blur()
  await expect(kit.card('finish-BNB').locator('[data-calldata]')).toBeVisible()
  await page.unroute(isNode)
}
