import { NotReady } from '@clearwell/ledger/writer'
import { isErc6492Signature, type PublicClient, recoverMessageAddress } from 'viem'
import { getCode, verifyMessage } from 'viem/actions'
import type { NodeBudget } from './node-budget.ts'

/** 65 bytes as hex: r, s and v. */
const ECDSA_SIGNATURE = /^0x[0-9a-fA-F]{130}$/

export interface SignatureClaim<Message extends { readonly message: string }> {
  /** With its checksum. */
  readonly address: `0x${string}`
  readonly signature: `0x${string}`
  /** The candidates, the likeliest first. */
  readonly messages: readonly Message[]
  readonly clientAddress: string
}

/** Finds the message that a wallet signed; `undefined` if it signed none of them. */
export type FindSigned = <Message extends { readonly message: string }>(
  claim: SignatureClaim<Message>,
) => Promise<Message | undefined>

/**
 * Verifies signatures of ordinary accounts in this process, and of smart-contract wallets by asking the chain: only where
 * the address has code (ERC-1271) or the signature says how to deploy it (ERC-6492).
 *
 * @throws TooManyRequests when the budget for requests to the node is spent; NotReady when the node cannot be read.
 */
export function findSignedOnChain({ client, budget }: { client: PublicClient; budget: NodeBudget }): FindSigned {
  return async (claim) => {
    const own = await findRecovered(claim)
    if (own) return own
    if (claim.messages.length === 0) return undefined
    const { address, signature, messages, clientAddress } = claim
    const ask = <Result>(question: () => Promise<Result>): Promise<Result> => {
      budget.spend(clientAddress)
      return question()
    }
    const isContract = isErc6492Signature(signature) || (await ask(() => hasCode(client, address)))
    if (!isContract) return undefined
    for (const each of messages)
      if (await ask(() => isSigned(client, { address, signature, message: each.message }))) return each
    return undefined
  }
}

/** Recovers the signer of each message from the signature. */
async function findRecovered<Message extends { readonly message: string }>({
  address,
  signature,
  messages,
}: SignatureClaim<Message>): Promise<Message | undefined> {
  if (!ECDSA_SIGNATURE.test(signature)) return undefined
  for (const each of messages) {
    // A signature that is no point of the curve recovers nothing.
    const signer = await recoverMessageAddress({ message: each.message, signature }).catch(() => undefined)
    if (signer === address) return each
  }
  return undefined
}

async function hasCode(client: PublicClient, address: `0x${string}`): Promise<boolean> {
  try {
    // viem has no code for an empty one.
    return (await getCode(client, { address })) !== undefined
  } catch (cause) {
    throw new NotReady('the chain cannot be read, so no contract can verify a signature', { cause, part: 'chain' })
  }
}

async function isSigned(client: PublicClient, claim: Parameters<typeof verifyMessage>[1]): Promise<boolean> {
  try {
    return await verifyMessage(client, claim)
  } catch {
    // A malformed signature matches nothing.
    return false
  }
}
