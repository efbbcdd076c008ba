import { type LocalAccount, privateKeyToAccount } from 'viem/accounts'
import type { Config } from '../load-config.ts'
import { localOwners } from '../platform/chain/local-wallets.ts'
import type { OperatorRequest } from '../platform/operator/operator.tables.ts'
import { recoverSigners, type Signed, statementOf } from '../platform/operator/statement.ts'

const LOCAL_CHAIN = '31337'

/** Signs a request as a person. */
export type Signer = Pick<LocalAccount, 'address' | 'signMessage'>

/**
 * The persons that a command can sign as: the one of `OPERATOR_KEY`, or none. Without that key, a command on a local chain signs
 * as both local owners, so that trying it out needs no keys.
 */
export function openSigners({ env }: Pick<Config, 'env'>, chainId: string): Signer[] {
  if (env.operatorKey) return [privateKeyToAccount(env.operatorKey)]
  // Elsewhere `PROFILE` may be unset too: a reader's environment has the address of the database alone.
  return chainId === LOCAL_CHAIN ? localOwners().map(({ account }) => account) : []
}

/** Signs a request with as many of the signers as it needs. */
export async function signRequest(
  request: OperatorRequest,
  signers: readonly Signer[],
  persons: number,
): Promise<Signed[]> {
  const message = statementOf(request)
  return Promise.all(
    signers.slice(0, persons).map(async ({ address, signMessage }) => ({
      signer: address.toLowerCase(),
      signature: await signMessage({ message }),
    })),
  )
}

/** Recovers the signer of a signature that a wallet made, such as a hardware wallet. */
export async function readSignature(request: OperatorRequest, signature: string): Promise<Signed | undefined> {
  return (await recoverSigners(request, [signature]))[0]
}
