import type { AssetId } from '@clearwell/money/asset'
import type { Hex } from '@clearwell/proofs/bytes'
import type { Custody } from '../../platform/chain/chain.ts'

const NATIVE: Hex = `0x${'0'.repeat(40)}`

/**
 * Returns the number of each asset in leaves and headers: the token's address, or the name in ASCII where there is none. RT has
 * no token on any chain, and a configuration may leave others out.
 */
export function proofTokens({ tokens }: Pick<Custody, 'tokens'>): Readonly<Record<AssetId, Hex>> {
  const tokenOf = (asset: AssetId): Hex =>
    tokens.find((each) => each.asset === asset)?.address ??
    `0x${Buffer.from(asset, 'ascii').toString('hex').padStart(40, '0')}`
  return { BNB: NATIVE, USDT: tokenOf('USDT'), ETH: tokenOf('ETH'), RT: tokenOf('RT') }
}
