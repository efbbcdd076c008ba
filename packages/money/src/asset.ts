/** Every asset of the ledger. RT exists only there. */
export const ASSET_IDS = ['BNB', 'USDT', 'ETH', 'RT'] as const

export type AssetId = (typeof ASSET_IDS)[number]

/** Decimals in the ledger. The watcher converts tokens that have fewer on their chain (USDT on Ethereum: 6). */
export const ASSET_DECIMALS: Readonly<Record<AssetId, number>> = { BNB: 18, USDT: 18, ETH: 18, RT: 18 }

export function isAssetId(value: unknown): value is AssetId {
  return typeof value === 'string' && (ASSET_IDS as readonly string[]).includes(value)
}
