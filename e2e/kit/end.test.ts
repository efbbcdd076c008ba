import { expect, test } from '@playwright/test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { HELD, type KitChain, startKitChain } from '../kit-chain.ts'
import { endByCalldata, hostKit, kitOn, saveKit } from '../kit-page.ts'
import { installWallet } from '../signing-wallet.ts'

type Account = `0x${string}`
let chain: KitChain
let saved: Awaited<ReturnType<typeof saveKit>>
let host: Awaited<ReturnType<typeof hostKit>>
test.beforeEach(async () => {
  ;[chain, saved] = await Promise.all([startKitChain(), saveKit()])
  host = await hostKit(saved.html)
})
test.afterEach(async () => {
  await host.stop()
  await chain.stop()
  await saved.remove()
})

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address.toLowerCase() as Account

test('a wallet ends the vault and claims in Chinese by its own proof', async ({ browser }) => {
  const page = await browser.newPage({ locale: 'zh-HK' })
  const chainPort = Number(new URL(chain.rpcUrl).port)
  const wallet = await installWallet(page, { as: 'ethereum', chainPort, chainId: 56, knowsLocalChain: false })
  const proof = await chain.deposit(wallet.account.address)
  // One unit in the last place is missing, so every payment is rounded down.
  await chain.lose('ETH', 1n)
  await page.goto(host.url)
  const kit = kitOn(page)
  await kit.addProof(proof)
  await kit.read(chain.rpcUrl)
  await expect(page.locator('#node-says')).toContainText('讀取時間')
  await expect(page.locator('#end')).toHaveCount(0)
  await chain.forward(30 * 86_400)
  await kit.read()
  wallet.approveAll()
  await page.locator('#start-end-send').click()
  await expect(page.locator('#end')).toContainText('結束程序已展開，任何人可於')
  await expect(page.locator('#node-says')).toContainText('保管庫已開始結束')
  await chain.forward(86_400)
  await kit.read()
  await page.locator('#complete-end-send').click()
  await expect(page.locator('#claim-title')).toContainText('逐項資產領取')

  const to = newAddress()
  await kit.typeDestination(to)
  await expect(page.locator('#claim-ETH-part')).toHaveText(
    '保管庫應付 2.5 ETH，現持有 2.499999999999999999。所有人可領取 99.99%。',
  )
  await expect(page.locator('#claim-BNB .amounts')).toHaveText('你的金額5 BNB你可收到5 BNB')
  for (const asset of ['BNB', 'USDT', 'ETH']) {
    await page.locator(`#claim-${asset}-send`).click()
    await expect(page.locator(`#claim-${asset}`)).toHaveText(`✓ ${asset} 已無餘額`)
  }
  expect(await chain.balancesOf(to)).toEqual({ ...HELD, ETH: HELD.ETH - 1n })
  await page.close()
})

test('names each fault of published files, and builds with a late deposit', async ({ browser }) => {
  const [account, other] = [newAddress(), newAddress()]
  const old = await chain.deposit(account)
  await chain.deposit(other)
  // No header knows this one.
  await chain.depositBnb(account, 10n ** 17n)
  const page = await browser.newPage({ locale: 'en' })
  await page.goto(saved.url)
  const kit = kitOn(page)
  await kit.addFiles({ 'proof.json': old })
  await kit.read(chain.rpcUrl)
  await endByCalldata(page, chain, other)
  await expect(page.locator('#claim-says')).toContainText('Add headers.jsonl of a bookkeeper')
  await kit.addFiles({ 'headers.jsonl': chain.headerLines() })
  await kit.read()
  await expect(page.locator('#build-keys')).toHaveText('Keys missing')
  await expect(page.locator('#build-do')).toBeDisabled()
  const keys = JSON.parse(chain.publishedKeys())
  const says = page.locator('#build-says')
  const build = async (file: object) => {
    await kit.addFiles({ 'keys.json': JSON.stringify(file) })
    await page.locator('#build-do').click()
  }
  await kit.addFiles({ 'data.jsonl': chain.dataLines() })
  await build({ ...keys, vault: other })
  await expect(says).toHaveText('The keys are those of another vault. Add the right file.')
  await build({ ...keys, keys: { '2026Q4': `0x${'11'.repeat(32)}` } })
  await expect(says).toContainText('no key opens the data of header 1. The keys are wrong or incomplete.')
  await build(keys)
  // The new deposit was the first of the account's two, so an earlier proof has the counters of the header.
  await expect(page.locator('#claim-BNB')).toContainText('Take out BNB')
  await kit.typeDestination(newAddress())
  await expect(page.locator('#claim-BNB .amounts')).toHaveText('Your amount5.1 BNBYou receive5.1 BNB')
  await page.close()
})
