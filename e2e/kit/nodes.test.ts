import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page, test } from '@playwright/test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { HELD, type KitChain, startKitChain } from '../kit-chain.ts'
import { kitOn, leaveByCalldata, saveKit } from '../kit-page.ts'

type Account = `0x${string}`
let chain: KitChain
let saved: Awaited<ReturnType<typeof saveKit>>
test.beforeAll(async () => {
  ;[chain, saved] = await Promise.all([startKitChain(), saveKit()])
})
test.afterAll(async () => {
  await chain.stop()
  await saved.remove()
})

const newAddress = () => privateKeyToAccount(generatePrivateKey()).address.toLowerCase() as Account

/** Opens the kit from its file, with the proof of an account that has paid the vault. */
async function openKit(page: Page, account: Account) {
  const proof = await chain.deposit(account)
  await page.goto(saved.url)
  const kit = kitOn(page)
  await kit.addProof(proof)
  return kit
}

/** A node between the page and the chain. `respond` returns nothing where the chain's own response is given. */
async function startNode(
  respond: (request: Rpc, origin: string | undefined) => { status: number; result?: unknown } | undefined,
) {
  const server = createServer(async (request, response) => {
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    if (request.method === 'OPTIONS') return response.writeHead(204, headers).end()
    const calls = [JSON.parse(await bodyOf(request))].flat() as Rpc[]
    const instead = calls.map((call) => respond(call, request.headers.origin))
    const rejected = instead.find((each) => each !== undefined && each.status !== 200)
    if (rejected) return response.writeHead(rejected.status).end()
    const own = await fetch(chain.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(calls),
    })
    const results = ((await own.json()) as object[]).map((each, i) => {
      const made = instead[i]
      return made ? { jsonrpc: '2.0', id: calls[i]?.id, result: made.result } : each
    })
    return response.writeHead(200, { ...headers, 'content-type': 'application/json' }).end(JSON.stringify(results))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => new Promise((resolve) => server.close(resolve)) }
}

interface Rpc {
  readonly id: number
  readonly method: string
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

test('a node that rejects the origin null says nothing about the proof', async ({ browser }) => {
  const account = newAddress()
  const page = await browser.newPage({ locale: 'en' })
  const kit = await openKit(page, account)
  const origins: (string | undefined)[] = []
  const node = await startNode((_, origin) => {
    origins.push(origin)
    return origin === 'null' ? { status: 403 } : undefined
  })
  await kit.read(node.url)
  await expect(page.locator('#node-says')).toContainText('Unknown: the node did not respond')
  await expect(page.locator('#node-says')).toContainText('Some nodes reject pages opened from a file')
  expect(origins).toContain('null')
  expect(await kit.signs()).toEqual(['✓', '✓', '✓', '✓', '?'])
  // Without a node the request goes on; another node does the rest.
  await chain.paste(account, await kit.calldata('request'))
  await kit.read(chain.rpcUrl)
  await expect(page.locator('#request')).toContainText('✓ Requested')
  await expect(page.locator('#wait')).toContainText('The base can still change')
  await page.close()
  await node.stop()
})

for (const [title, zeros] of [
  ['one word of zeros', `0x${'0'.repeat(64)}`],
  ['many zeros', `0x${'0'.repeat(64 * 8)}`],
  ['nothing', '0x'],
] as const) {
  test(`a node that gives ${title} says nothing about the proof`, async ({ browser }) => {
    const page = await browser.newPage({ locale: 'en' })
    const kit = await openKit(page, newAddress())
    const node = await startNode(({ method }) => (method === 'eth_call' ? { status: 200, result: zeros } : undefined))
    await kit.read(node.url)
    await expect(page.locator('#node-says')).toContainText('Unknown: the node gave zeros or nothing')
    expect(await kit.signs()).toEqual(['✓', '✓', '✓', '✓', '?'])
    await page.close()
    await node.stop()
  })
}

test('a changed amount is wrong, and no node is asked', async ({ browser }) => {
  const account = newAddress()
  const page = await browser.newPage({ locale: 'en' })
  const proof = await chain.deposit(account)
  await page.goto(saved.url)
  const kit = kitOn(page)
  await kit.addProof(proof.replace(`"free":"${HELD.BNB}"`, `"free":"${HELD.BNB + 1n}"`))
  expect(await kit.signs()).toEqual(['✓', '✕', '✓', '✓', '?'])
  await expect(page.locator('#node-says')).toContainText('Without a node')
  await page.close()
})

test('a personal copy contains the proof and leaves with it', async ({ browser }) => {
  const account = newAddress()
  const page = await browser.newPage({ locale: 'en' })
  await openKit(page, account)
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#save-copy').click()])
  const path = `${saved.path}.${download.suggestedFilename()}`
  await download.saveAs(path)
  expect((await readFile(path, 'utf8')).toLowerCase()).toContain(account)
  await page.goto(`file://${path}`)
  const kit = kitOn(page)
  await expect(page.locator('#data-header')).toContainText('Header')
  await kit.read(chain.rpcUrl)
  await kit.expectRead()
  const to = newAddress()
  await leaveByCalldata(page, chain, { account, to })
  expect(await chain.balancesOf(to)).toEqual(HELD)
  await page.close()
})

test('an account leaves under its root when others follow after six days', async ({ browser }) => {
  const account = newAddress()
  const page = await browser.newPage({ locale: 'en' })
  const kit = await openKit(page, account)
  await chain.paste(account, await kit.calldata('request'))
  await chain.forward(6.5 * 86_400)
  await chain.deposit(newAddress())
  await chain.forward(86_400)
  await kit.read(chain.rpcUrl)
  await expect(page.locator('#base')).toContainText('Another root followed yours')
  await kit.addProof(chain.headerLines())
  await kit.read()
  await expect(page.locator('#base')).toContainText('This header decides your exit')
  const to = newAddress()
  await kit.typeDestination(to)
  await chain.paste(account, await kit.calldata('finish-USDT'))
  expect((await chain.balancesOf(to)).USDT).toBe(HELD.USDT)
  await page.close()
})
