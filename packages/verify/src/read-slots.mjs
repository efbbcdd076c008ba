// @ts-check
import { fromHex, join, toHex, uintOf } from './hash-bytes.mjs'
import { keccak256 } from './keccak.mjs'

/** Reads what the vault with exits stores now: its newest root, and an account's counters. No event and no old state. */

/** @param {string} url of a node @returns {NonNullable<import('./build-paths.mjs').Files['readVault']>} */
export function readSlots(url) {
  return async (vault, account, tokens) => {
    const call = (/** @type {string} */ name, /** @type {Uint8Array[]} */ ...args) => callVault(url, vault, name, args)
    const address = (/** @type {string} */ hex) => join(new Uint8Array(12), fromHex(hex, 20))
    const [number = 0n, , postedAt = 0n, seq = 0n] = await call('newestRoot()')
    if (seq === 0n) throw new Error('the node shows no root of this vault')
    const [slot = 0n] = await call('rootAt(uint256)', uintOf(seq, 32))
    /** @type {Map<string, import('./own-leaves.mjs').Totals>} */
    const counters = new Map()
    for (const token of tokens) {
      const [deposited = 0n, paid = 0n] = await call('balanceOf(address,address)', address(account), address(token))
      counters.set(token, { deposited: [deposited], paid: [paid] })
    }
    return {
      number,
      isStored: (hash) => {
        const words = join(fromHex(hash, 32), uintOf(postedAt, 32), uintOf(seq, 32))
        return toHex(keccak256(words)) === toHex(uintOf(slot, 32))
      },
      totalsOf: (token) => counters.get(token) ?? { deposited: [], paid: [] },
    }
  }
}

/** @param {string} url @param {string} to @param {string} name @param {Uint8Array[]} args @returns {Promise<bigint[]>} the words of the result */
async function callVault(url, to, name, args) {
  const data = toHex(join(keccak256(new TextEncoder().encode(name)).slice(0, 4), ...args))
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to, data }, 'latest'] })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = /** @type {any} */ (await response.json())
  if (error) throw new Error(`the node responded: ${error.message}`)
  if (typeof result !== 'string' || result.length < 66) throw new Error(`the node shows no vault at ${to}`)
  return Array.from({ length: (result.length - 2) / 64 }, (_, i) =>
    BigInt(`0x${result.slice(2 + 64 * i, 66 + 64 * i)}`),
  )
}
