/** Every asset that Clearwell keeps books in. RT lives in the ledger only. */
export const ASSET_IDS = ['BNB', 'USDT', 'ETH', 'RT'] as const

export type AssetId = (typeof ASSET_IDS)[number]

/** Decimals inside Clearwell. A chain whose token has fewer (USDT on Ethereum: 6) is converted at the watcher. */
export const ASSET_DECIMALS: Readonly<Record<AssetId, number>> = { BNB: 18, USDT: 18, ETH: 18, RT: 18 }

export function isAssetId(value: unknown): value is AssetId {
  return typeof value === 'string' && (ASSET_IDS as readonly string[]).includes(value)
}
