import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { makeExitKit } from '@clearwell/exit-kit/build.ts'
import { expect, type Page } from '@playwright/test'
import type { Hex } from 'viem'
import type { KitChain } from './kit-chain.ts'

/** The exit kit as a file on the user's device. */
export async function saveKit() {
  const folder = await mkdtemp(join(tmpdir(), 'clearwell-kit-'))
  const path = join(folder, 'clearwell-exit-kit.html')
  const html = await makeExitKit()
  await writeFile(path, html)
  return { html, path, url: pathToFileURL(path).href, remove: () => rm(folder, { recursive: true }) }
}

/** A host that gives the same page for each path, as any static host would. */
export async function hostKit(html: string) {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html; charset=utf-8').end(html))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, stop: () => new Promise((resolve) => server.close(resolve)) }
}

/** Works with the kit as a user does. */
export function kitOn(page: Page) {
  const card = (id: string) => page.locator(`[data-call="${id}"]`)
  return {
    card,
    addProof: (text: string) =>
      page
        .locator('#files')
        .setInputFiles({ name: 'proof.json', mimeType: 'application/json', buffer: Buffer.from(text) }),
    /** Adds files by their names and texts, as a user who chooses several. */
    addFiles: (files: Readonly<Record<string, string>>) =>
      page.locator('#files').setInputFiles(
        Object.entries(files).map(([name, text]) => ({
          ...{ name, mimeType: 'application/json', buffer: Buffer.from(text) },
        })),
      ),
    async read(nodeUrl?: string) {
      if (nodeUrl !== undefined) {
        await page.locator('#own-node').fill(nodeUrl)
        await page.locator('#own-node').blur()
      }
      await page.locator('#read').click()
    },
    async typeDestination(to: Hex) {
      await page.locator('#to').fill(to)
      await page.locator('#to').blur()
    },
    /** The contract that a call goes to. */
    target: async (id: string) => (await card(id).locator('[data-to]').textContent()) as Hex,
    calldata: async (id: string) => (await card(id).locator('[data-calldata]').textContent()) as Hex,
    signs: () => page.locator('#check .sign').allTextContents(),
    expectRead: () => expect(page.locator('#node-says')).toContainText('Read at'),
  }
}

/** Reads the data of each step from the page, sends it from the account, and leaves with all three assets. */
export async function leaveByCalldata(
  page: Page,
  chain: KitChain,
  { account, to, send = (data) => chain.paste(account, data) }: Leaving,
): Promise<void> {
  const kit = kitOn(page)
  await send(await kit.calldata('request'))
  await chain.forward(7 * 86_400)
  await kit.read()
  await expect(page.locator('#wait')).toContainText('The vault pays now')
  await kit.typeDestination(to)
  for (const asset of ['BNB', 'USDT', 'ETH']) {
    await send(await kit.calldata(`finish-${asset}`))
    await kit.read()
    await expect(page.locator(`#finish-${asset}`)).toHaveText(`✓ Nothing of ${asset} is left`)
  }
}

/** Begins the vault's end and completes it by the data that the page shows. The newest root is 30 days old then. */
export async function endByCalldata(page: Page, chain: KitChain, anyone: Hex): Promise<void> {
  const kit = kitOn(page)
  await chain.give(anyone, 10n ** 18n)
  await chain.forward(30 * 86_400)
  await kit.read()
  await chain.paste(anyone, await kit.calldata('start-end'))
  await kit.read()
  await expect(page.locator('#end')).toContainText('The end has begun. Anyone can complete it from')
  await chain.forward(86_400)
  await kit.read()
  await chain.paste(anyone, await kit.calldata('complete-end'))
  await kit.read()
  await expect(page.locator('#node-says')).toContainText('The vault has ended.')
}

interface Leaving {
  readonly account: Hex
  readonly to: Hex
  readonly send?: (data: Hex) => Promise<void>
}
