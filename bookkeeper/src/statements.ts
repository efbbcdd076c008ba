import type { PrivateKeyAccount } from 'viem'

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
