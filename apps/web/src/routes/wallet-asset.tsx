import type { AssetId } from '@clearwell/money/asset'
import { AssetActivity } from '../features/history/asset-activity.tsx'
import { AssetScreen } from '../features/wallet/asset-screen.tsx'

export function renderAsset({ asset }: { asset?: AssetId }) {
  return <AssetScreen key={asset} asset={asset} history={asset && <AssetActivity asset={asset} />} />
}
