import AxeBuilder from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { HELD, type KitChain, startKitChain } from '../kit-chain.ts'
import { kitOn, leaveByCalldata, saveKit } from '../kit-page.ts'

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
  await leaveByCalldata(page, chain, { account, to })
  expect(await chain.balancesOf(to)).toEqual(HELD)
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120))])).toEqual([])
  // The file, and the node that the user chose.
  expect([...new Set(requests)]).toEqual(['null', new URL(chain.rpcUrl).origin])
  await page.close()
})
