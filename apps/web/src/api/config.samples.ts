import type { Config } from './config.ts'

const CHAIN: Config['chain'] = {
  id: 31337,
  name: 'Local chain',
  rpc_url: 'http://127.0.0.1:1',
  explorer_url: null,
  confirmations: 1,
  native: { name: 'BNB', symbol: 'BNB', decimals: 18 },
}
const listed = (id: number, name: string) => ({ ...CHAIN, id, name, rpc_url: null, confirmations: null })
const limits = { min_in: '0.01', max_in: '100000', min_out: '0.01', max_out: '100000' }

/** A configuration without the fields of single features: three assets of the local chain and RT, with fees as the whitepaper has them. */
export const CONFIG: Config = {
  profile: 'staging',
  product: { en: 'Clearwell', 'zh-HK': 'Clearwell' },
  chain: CHAIN,
  chains: [CHAIN, listed(56, 'BNB Smart Chain'), listed(97, 'BNB Smart Chain Testnet'), listed(1, 'Ethereum')],
  wallet_connect: null,
  contact: null,
  operator: { name: null, place: null, audits: [], terms_url: null, help_url: null },
  terms: null,
  help: null,
  operator_accounts: [],
  time: '2030-01-01T00:00:00.000Z',
  check_rpc_url: null,
  vault: '0x1111111111111111111111111111111111111111',
  assets: [
    { asset: 'BNB', name: 'BNB', decimals: 18, address: null, kind: 'native', ...limits },
    { asset: 'USDT', name: 'Tether USD', decimals: 18, address: `0x${'22'.repeat(20)}`, kind: 'token', ...limits },
    { asset: 'ETH', name: 'Ether', decimals: 18, address: `0x${'33'.repeat(20)}`, kind: 'token', ...limits },
    { asset: 'RT', name: 'RT', decimals: 18, address: null, kind: 'ledger', ...limits },
  ],
  fees: {
    swap_total: '0.0025',
    swap_revenue: '0.0008',
    revenue_split: { rewards: '0.5', referral: '0.2', insurance: '0.1', treasury: '0.2' },
    activation: { asset: 'USDT', amount: '20' },
  },
  opening: { activation: 'always', claim: 'always' },
  features: ['session', 'activation', 'swap', 'market', 'alert', 'wallet', 'history'],
  simulated_market: false,
  degraded: [],
  announced: [],
  upgrades: [],
  demo: false,
  build: 'test',
}
