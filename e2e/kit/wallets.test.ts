import { contractWalletAbi, contractWalletBytecode } from '@clearwell/vault/abi/contract-wallet'
import { expect, test } from '@playwright/test'
import { encodeFunctionData, type Hex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { HELD, type KitChain, startKitChain } from '../kit-chain.ts'
import { hostKit, kitOn, leaveByCalldata, saveKit } from '../kit-page.ts'
import { installWallet } from '../signing-wallet.ts'

const DAY_S = 86_400
const ASSETS = ['BNB', 'USDT', 'ETH'] as const
let chain: KitChain
let saved: Awaited<ReturnType<typeof saveKit>>
let host: Awaited<ReturnType<typeof hostKit>>
test.beforeAll(async () => {
  ;[chain, saved] = await Promise.all([startKitChain(), saveKit()])
  host = await hostKit(saved.html)
})
test.afterAll(async () => {
  await host.stop()
  await chain.stop()
  await saved.remove()
})

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address

for (const as of ['ethereum', 'announced'] as const) {
  test(`an account leaves from a static host by a wallet that is ${as}`, async ({ browser }) => {
    const page = await browser.newPage({ locale: 'en' })
    const chainPort = Number(new URL(chain.rpcUrl).port)
    const wallet = await installWallet(page, { as, chainPort, chainId: 56, knowsLocalChain: false })
    const proof = await chain.deposit(wallet.account.address)
    await page.goto(host.url)
    const kit = kitOn(page)
    await kit.addProof(proof)
    await kit.read(chain.rpcUrl)
    await kit.expectRead()

    wallet.refuse('eth_sendTransaction')
    await page.locator('#request-send').click()
    await expect(page.locator('#request-says')).toContainText('You rejected it in the wallet')
    wallet.approveAll()
    await page.locator('#request-send').click()
    await expect(page.locator('#request')).toContainText('✓ Requested')

    const to = newAddress()
    await kit.typeDestination(to)
    await page.locator('#finish-BNB-send').click()
    await expect(page.locator('#finish-BNB-says')).toContainText('The seven days are not over.')
    await chain.forward(7 * DAY_S)
    for (const asset of ASSETS) {
      await page.locator(`#finish-${asset}-send`).click()
      await expect(page.locator(`#finish-${asset}`)).toHaveText(`✓ Nothing of ${asset} is left`)
    }
    expect(await chain.balancesOf(to)).toEqual(HELD)
    await page.close()
  })
}

test('a wallet with another account sends nothing', async ({ browser }) => {
  const page = await browser.newPage({ locale: 'en' })
  const wallet = await installWallet(page, { as: 'ethereum', chainPort: Number(new URL(chain.rpcUrl).port) })
  const proof = await chain.deposit(newAddress())
  await page.goto(host.url)
  await kitOn(page).addProof(proof)
  await page.locator('#request-send').click()
  await expect(page.locator('#request-says')).toContainText(`Your wallet uses ${wallet.account.address}`)
  expect(wallet.requests.map(({ method }) => method)).not.toContain('eth_sendTransaction')
  await page.close()
})

test('a contract wallet leaves by the data of the page', async ({ browser }) => {
  const owner = privateKeyToAccount(generatePrivateKey())
  await chain.give(owner.address, parseEther('10'))
  const signer = chain.wallet(owner)
  const created = await signer.deployContract({
    ...{ abi: contractWalletAbi, bytecode: contractWalletBytecode, args: [owner.address] as const },
    ...{ account: owner, chain: signer.chain },
  })
  const account = (await chain.receipt(created)).contractAddress as Hex
  const proof = await chain.deposit(account)
  const page = await browser.newPage({ locale: 'en' })
  await page.goto(saved.url)
  const kit = kitOn(page)
  await kit.addProof(proof)
  await kit.read(chain.rpcUrl)
  await kit.expectRead()
  const to = newAddress()
  const send = (data: Hex) => {
    const args = [chain.vault, data] as const
    const call = encodeFunctionData({ abi: contractWalletAbi, functionName: 'execute', args })
    return chain.paste(owner.address, call, account)
  }
  await leaveByCalldata(page, chain, { account, to, send })
  expect(await chain.balancesOf(to)).toEqual(HELD)
  await page.close()
})
