import { type Hex, type PrivateKeyAccount, recoverAddress, recoverMessageAddress } from 'viem'

/** The bookkeeper's word about a header. There is one for each number. */
export interface Statement {
  readonly number: string
  readonly hash: string
  /** By EIP-712: the digest is the header's hash. */
  readonly signature?: string
  /** Signed by EIP-191, over {@link refusalText}. */
  readonly refusal?: { readonly reason: string; readonly signature: string }
}

/** The text that a refusal signs. */
export function refusalText({ number, hash }: Pick<Statement, 'number' | 'hash'>, reason: string): string {
  return `Clearwell bookkeeper refuses header ${number} ${hash}: ${reason}`
}

/** Signs a header, or its refusal. The same header and reason give the same signature. */
export async function signStatement(
  key: Pick<PrivateKeyAccount, 'sign' | 'signMessage'>,
  { number, hash }: Pick<Statement, 'number' | 'hash'>,
  reason: string | undefined,
): Promise<Statement> {
  if (reason === undefined) return { number, hash, signature: await key.sign({ hash: hash as `0x${string}` }) }
  const signature = await key.signMessage({ message: refusalText({ number, hash }, reason) })
  return { number, hash, refusal: { reason, signature } }
}

/**
 * Signs a statement with the key that has replaced its signer's. Only the last one can still be asked for by a server that knows no
 * other key. The verdict stays the same.
 *
 * @returns `undefined` if the key has signed it.
 */
export async function signAgain(
  statement: Statement | undefined,
  key: Pick<PrivateKeyAccount, 'address' | 'sign' | 'signMessage'>,
): Promise<Statement | undefined> {
  if (!statement || (await signerOf(statement)) === key.address) return undefined
  return signStatement(key, statement, statement.refusal?.reason)
}

function signerOf({ number, hash, signature, refusal }: Statement): Promise<Hex> {
  if (refusal === undefined) return recoverAddress({ hash: hash as Hex, signature: signature as Hex })
  const message = refusalText({ number, hash }, refusal.reason)
  return recoverMessageAddress({ message, signature: refusal.signature as Hex })
}
