import type { AssetId } from '@clearwell/money/asset'
import type { Hex } from '@clearwell/proofs/bytes'
import type { Custody } from '../../platform/chain/chain.ts'

const NATIVE: Hex = `0x${'0'.repeat(40)}`
/** RT has no token: its number is its name in ASCII. */
const RT_TOKEN: Hex = `0x${'5254'.padStart(40, '0')}`

/** Returns the number of each asset in leaves and headers: the token's address where it has one. */
export function proofTokens({ tokens }: Pick<Custody, 'tokens'>): Readonly<Record<AssetId, Hex>> {
  const tokenOf = (asset: AssetId): Hex => {
    const token = tokens.find((each) => each.asset === asset)
    if (!token) throw new Error(`${asset} has no token`)
    return token.address
  }
  return { BNB: NATIVE, USDT: tokenOf('USDT'), ETH: tokenOf('ETH'), RT: RT_TOKEN }
}
