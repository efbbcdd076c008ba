import { writeFile } from 'node:fs/promises'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { secondsSince } from '../../scripts/run-command.ts'
import type { TestBrowser } from '../browsers/browser.ts'
import { startFirefox } from '../browsers/firefox.ts'
import { findOrInstallBrowsers } from '../browsers/install.ts'
import { startWebKit } from '../browsers/webkit.ts'
import { HELD, startKitChain } from '../kit-chain.ts'
import { hostKit, saveKit } from '../kit-page.ts'

/**
 * The exit kit in Firefox and WebKit, from its file and from a static host: a personal copy checks its proof, and an account leaves with
 * three assets by the data that the page shows. No server runs.
 */
const ASSETS = ['BNB', 'USDT', 'ETH'] as const
const WAIT_MS = 60_000
/** The exit code without these browsers, which is no failure. */
const NOT_POSSIBLE = 3

const browsers = await findOrInstallBrowsers().catch((error: Error) => {
  console.log(error.message)
  process.exit(NOT_POSSIBLE)
})
const chain = await startKitChain()
const saved = await saveKit()
const count = { passed: 0, failed: 0 }
for (const start of [() => startFirefox(browsers.firefox), () => startWebKit(browsers.webKit)]) {
  for (const from of ['file', 'host'] as const) count[(await tryExit(await start(), from)) ? 'passed' : 'failed'] += 1
}
await chain.stop()
await saved.remove()
console.log(`\n${count.passed} passed, ${count.failed} failed`)
process.exit(count.failed === 0 ? 0 : 1)

async function tryExit(browser: TestBrowser, from: 'file' | 'host'): Promise<boolean> {
  const startedMs = performance.now()
  const account = newAddress()
  const proof = await chain.deposit(account)
  const nodes = `"nodes":["${chain.rpcUrl}"]`
  const html = saved.html.replace('id="kit-data">', () => `id="kit-data">${proof.replace('{', `{${nodes},`)}`)
  await writeFile(saved.path, html)
  const host = await hostKit(html)
  try {
    await browser.open(from === 'file' ? saved.url : host.url)
    await leave(browser, account)
    console.log(`✓ ${browser.name}: leaves from a ${from} (${secondsSince(startedMs)})`)
    return true
  } catch (error) {
    console.log(`✗ ${browser.name}: leaves from a ${from}: ${(error as Error).message}`)
    return false
  } finally {
    await browser.close()
    await host.stop()
  }
}

async function leave(browser: TestBrowser, account: Hex): Promise<void> {
  const to = newAddress()
  const read = async (id: string, expected: RegExp) => {
    await browser.run("document.getElementById('read').click()")
    await untilText(browser, id, expected)
  }
  const paste = async (id: string) => {
    const selector = JSON.stringify(`[data-call="${id}"] [data-calldata]`)
    await chain.paste(account, await browser.run<Hex>(`return document.querySelector(${selector}).textContent`))
  }
  await untilText(browser, 'data-header', /\d/)
  // Four right lines, and the vault's slot is unknown.
  await untilText(browser, 'check', /✓.*✓.*✓.*✓.*\?/s)
  await read('check', /✓.*✓.*✓.*✓.*✓/s)
  await paste('request')
  await chain.forward(7 * 86_400)
  await read('request', /✓/)
  await browser.run(
    `const to = document.getElementById('to'); to.value = '${to}'; to.dispatchEvent(new Event('change'))`,
  )
  for (const asset of ASSETS) {
    await paste(`finish-${asset}`)
    await read(`finish-${asset}`, /^✓/)
  }
  const got = await chain.balancesOf(to)
  for (const asset of ASSETS) if (got[asset] !== HELD[asset]) throw new Error(`${got[asset]} of ${asset} arrived`)
}

async function untilText(browser: TestBrowser, id: string, expected: RegExp): Promise<void> {
  for (const deadline = performance.now() + WAIT_MS; ; ) {
    const text = await browser.run<string>(`return document.getElementById(${JSON.stringify(id)})?.textContent ?? ''`)
    if (expected.test(text)) return
    if (performance.now() > deadline) throw new Error(`#${id} does not show ${expected}: ${text.slice(0, 200)}`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

function newAddress(): Hex {
  return privateKeyToAccount(generatePrivateKey()).address
}
