import { type Hex, recoverMessageAddress } from 'viem'
import type { OperatorRequest } from './operator.tables.ts'

/** The parts of a request that a person signs. */
export type Stated = Pick<OperatorRequest, 'id' | 'kind' | 'payload' | 'reason' | 'chain_id' | 'vault' | 'expires_at'>

/** A signature with the address that made it, in lower case. */
export interface Signed {
  readonly signer: string
  readonly signature: string
}

/**
 * The plain text that a person's wallet signs (EIP-191): hardware wallets show it as it is.
 *
 * Each line has one field, and no field can hold a line break, so two requests never have the same text.
 */
export function statementOf({ id, kind, payload, reason, chain_id, vault, expires_at }: Stated): string {
  const fields = [
    ['Action', kind],
    ['Input', payload],
    ['Reason', reason],
    ['Ledger', `chain ${chain_id}, vault ${vault}`],
    ['Request', id],
    ['Expires', expires_at.toISOString()],
  ] as const
  return ['Clearwell operator request', '', ...fields.map(([name, value]) => `${name}: ${oneLine(value)}`)].join('\n')
}

/** JSON escapes what a line must not hold. Other texts with control characters are refused where they are entered. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Recovers who signed a statement. A signature that is malformed has no signer. Contract wallets cannot sign. */
export async function recoverSigners(stated: Stated, signatures: readonly string[]): Promise<Signed[]> {
  const message = statementOf(stated)
  const found = await Promise.all(
    signatures.map(async (signature) => {
      const signer = await recoverMessageAddress({ message, signature: signature as Hex }).catch(() => undefined)
      return signer === undefined ? [] : [{ signer: signer.toLowerCase(), signature }]
    }),
  )
  return found.flat()
}
