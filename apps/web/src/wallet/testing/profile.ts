import type { Config } from '../../api/config.ts'

export const REQUIRED_CHAIN = 31337
const RPC_URL = 'http://127.0.0.1:1'

const native = { name: 'BNB', symbol: 'BNB', decimals: 18 }

/** Returns the response of `/config`, as far as the wallet reads it. */
export function profileWith(changes: Partial<Config> = {}): Config {
  const chain = {
    id: REQUIRED_CHAIN,
    name: 'Local chain',
    rpc_url: RPC_URL,
    explorer_url: null,
    confirmations: 1,
    native,
  }
  const listed = (id: number, name: string) => ({ ...chain, id, name, rpc_url: null, confirmations: null })
  return {
    profile: 'staging',
    product: { en: 'Clearwell', 'zh-HK': '明池' },
    chain,
    chains: [chain, listed(56, 'BNB Smart Chain'), listed(97, 'BNB Smart Chain Testnet'), listed(1, 'Ethereum')],
    wallet_connect: null,
    ...changes,
  } as Config
}
