import { getAddress } from 'viem'
import { type Fields, isChainId } from './kit.ts'

/** Reads `#chain=…&vault=…&account=…` of the page's address, which the app's link fills in. A value that is none of its kind is left out. */
export function linkFields(hash: string): Partial<Fields> {
  const values = new URLSearchParams(hash.replace(/^#/, ''))
  const [account, vault] = [addressOf(values.get('account')), addressOf(values.get('vault'))]
  const chainId = values.get('chain')
  return {
    ...(account && { account }),
    ...(vault && { vault }),
    ...(chainId && isChainId(chainId) && { chainId }),
  }
}

/** In the spelling that the fields check. */
function addressOf(text: string | null): string | undefined {
  return text !== null && /^0x[0-9a-f]{40}$/i.test(text) ? getAddress(text.toLowerCase()) : undefined
}
