import { createPublicClient, type Hex, http, isErc6492Signature, recoverMessageAddress } from 'viem'
import { getCode, verifyMessage } from 'viem/actions'

/** 65 bytes as hex: r, s and v. */
const ECDSA_SIGNATURE = /^0x[0-9a-fA-F]{130}$/

export interface SignedMessage {
  /** With its checksum. */
  readonly address: Hex
  readonly message: string
  readonly signature: Hex
}

/**
 * Checks a wallet's signature: that of an ordinary account here, and that of a smart-contract wallet by the own node.
 *
 * @throws Error if the node cannot be read.
 */
export type CheckSignature = (signed: SignedMessage) => Promise<boolean>

/** @param url of the bookkeeper's own node */
export function checkByNode(url: string): CheckSignature {
  const client = createPublicClient({ transport: http(url) })
  return async ({ address, message, signature }) => {
    if (ECDSA_SIGNATURE.test(signature)) {
      // A signature that is no point of the curve recovers nothing.
      const signer = await recoverMessageAddress({ message, signature }).catch(() => undefined)
      if (signer === address) return true
    }
    const hasCode = isErc6492Signature(signature) || ((await getCode(client, { address })) ?? '0x') !== '0x'
    // A malformed signature matches nothing.
    return hasCode && (await verifyMessage(client, { address, message, signature }).catch(() => false))
  }
}
