import type { Answer } from '@clearwell/api/routes'

const native = (name: string, symbol: string) => ({ name, symbol, decimals: 18 })
/** What only an operator who uses the chain can tell. */
const unused = { rpc_url: null, confirmations: null }

/** The chains that the product knows, the default first (specification §3). */
export const KNOWN_CHAINS: Answer<'config'>['chains'] = [
  {
    id: 56,
    name: 'BNB Smart Chain',
    explorer_url: 'https://bscscan.com',
    native: native('BNB', 'BNB'),
    ...unused,
  },
  {
    id: 97,
    name: 'BNB Smart Chain Testnet',
    explorer_url: 'https://testnet.bscscan.com',
    native: native('tBNB', 'tBNB'),
    ...unused,
  },
  { id: 1, name: 'Ethereum', explorer_url: 'https://etherscan.io', native: native('Ether', 'ETH'), ...unused },
]
