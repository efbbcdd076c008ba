import { type AssetId, isAssetId } from '@clearwell/money/asset'

/** What the balance log is narrowed to; the path carries it, so that going back finds it again. */
export interface LogFilter {
  readonly asset?: AssetId
  readonly kind?: string
}

export function readLogFilter({ asset, kind }: Record<string, unknown>): LogFilter {
  return {
    ...(isAssetId(asset) ? { asset } : {}),
    ...(typeof kind === 'string' && /^[a-z_]{1,40}$/.test(kind) ? { kind } : {}),
  }
}
