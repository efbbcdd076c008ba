import type { Posting } from './entry-hash.ts'

/** The two postings that move units of an asset from one account to another. */
export function transfer({
  from,
  to,
  asset,
  units,
}: {
  readonly from: string
  readonly to: string
  readonly asset: string
  readonly units: bigint
}): [Posting, Posting] {
  return [
    { account: from, asset, units: -units },
    { account: to, asset, units },
  ]
}
