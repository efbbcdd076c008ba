import { checkPaths } from '@clearwell/exit-kit/src/check-paths.ts'
import { readKitData } from '@clearwell/exit-kit/src/kit-data.ts'
import type { Hex, LocalAccount } from 'viem'
import { parseSiweMessage } from 'viem/siwe'

const TIMEOUT_MS = 20_000
/** More than paths in all assets take. */
const MOST_TEXT = 1_000_000

interface Domain {
  readonly chainId: number
  readonly vault: Hex
}

/** A bookkeeper has given a path that leads nowhere. */
export class WrongPath extends Error {}

/**
 * Takes the account's paths from a bookkeeper and checks them without any node.
 *
 * @returns the text of the checked response
 * @throws WrongPath if the paths do not lead to the header, or a signature is missing
 */
export async function askBookkeeper(
  url: string,
  { account, number, chainId, vault }: Domain & { readonly account: LocalAccount; readonly number: string },
): Promise<{ readonly number: string; readonly text: string }> {
  const { message } = await post(`${url}/proof/nonce`, { address: account.address })
  if (typeof message !== 'string' || !isOwn(message, { url, address: account.address, chainId }))
    throw new Error(`${url} wants another message signed than one for itself`)
  const signature = await account.signMessage({ message })
  const text = JSON.stringify(await post(`${url}/proof/mine`, { message, signature, number }))
  const { headers, paths } = readKitData(text)
  const [signed, mine] = [headers[0], paths[0]]
  if (!signed || !mine || mine.number !== signed.number) throw new WrongPath(`${url} gives no path`)
  const { faults } = await checkPaths(mine, signed, { chainId, vault, account: account.address.toLowerCase() as Hex })
  if (faults.length > 0) throw new WrongPath(`${url}, header ${signed.number}: ${faults.join(', ')}`)
  return { number: signed.number, text }
}

/** A bookkeeper could hand on a message of the server, and sign in there as the canary. */
function isOwn(message: string, { url, address, chainId }: { url: string; address: string; chainId: number }): boolean {
  const read = parseSiweMessage(message)
  return read.domain === new URL(url).host && read.address === address && read.chainId === chainId
}

async function post(url: string, payload: unknown): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(url, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(payload) },
    signal: AbortSignal.timeout(TIMEOUT_MS),
    redirect: 'error',
  })
  const text = await response.text()
  if (text.length > MOST_TEXT) throw new Error(`${url} gives too much`)
  const { code, msg, data } = JSON.parse(text) as { code: number; msg: string; data: Record<string, unknown> }
  if (code !== 1) throw new Error(`${url}: ${code} ${msg}`)
  return data
}
