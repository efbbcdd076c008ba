/** Public nodes of each chain that no operator of Clearwell runs. A user can type another one. */
const PUBLIC_NODES: Readonly<Record<number, readonly string[]>> = {
  56: ['https://bsc-dataseed.bnbchain.org', 'https://bsc-rpc.publicnode.com', 'https://1rpc.io/bnb'],
  97: ['https://bsc-testnet-dataseed.bnbchain.org', 'https://bsc-testnet-rpc.publicnode.com'],
  31337: ['http://127.0.0.1:8545'],
}

export function nodesFor(chainId: number | undefined, own: readonly string[]): string[] {
  return [...new Set([...own.filter(isNodeUrl), ...(PUBLIC_NODES[chainId ?? 56] ?? [])])]
}

/** The policy of the page allows https everywhere, and http on this device only. */
export function isNodeUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'https:') return true
  return url?.protocol === 'http:' && ['127.0.0.1', 'localhost'].includes(url.hostname)
}
