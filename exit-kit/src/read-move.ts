import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { vaultKeysAbi } from '@clearwell/vault/abi/vault-keys'
import { type Client, type Hex, zeroAddress } from 'viem'
import { readContract } from 'viem/actions'
import { isEmpty } from './no-response.ts'

/** Earlier vaults that are asked for an exit. A ledger moves rarely. */
const MOST_EARLIER = 5

const inLowerCase = (address: Hex) => address.toLowerCase() as Hex

/** The other vaults of the ledger that matter to an account. In lower case. */
export interface MoveReading {
  /** The vault that the owner names for this one's money; only after money has moved. */
  readonly successor: Hex | undefined
  /** An exit of the account that is open at an earlier vault, with its time in seconds. */
  readonly earlier: { readonly vault: Hex; readonly requestedAt: number } | undefined
}

/** Reads where the money of a vault has moved, and whether the account has an exit at an earlier one. */
export async function readMove(
  node: Client,
  of: { readonly vault: Hex; readonly keys: Hex; readonly account: Hex; readonly movedAt: number },
): Promise<MoveReading> {
  const [next, earlier] = await Promise.all([
    of.movedAt === 0
      ? zeroAddress
      : readContract(node, { address: of.keys, abi: vaultKeysAbi, functionName: 'successor' }),
    findEarlierExit(node, of),
  ])
  return { successor: next === zeroAddress ? undefined : inLowerCase(next), earlier }
}

async function findEarlierExit(
  node: Client,
  { vault, account }: { readonly vault: Hex; readonly account: Hex },
): Promise<MoveReading['earlier']> {
  let at = vault
  for (let count = 0; count < MOST_EARLIER; count++) {
    at = await readContract(node, { address: at, abi: exitVaultAbi, functionName: 'predecessor' })
    if (at === zeroAddress) return undefined
    const contract = { address: at, abi: exitVaultAbi } as const
    const slot = await readContract(node, { ...contract, functionName: 'accountOf', args: [account] }).catch(
      (error) => {
        if (!isEmpty(error)) throw error
        return undefined
      },
    )
    // A vault without exits has none, and none before it has.
    if (!slot) return undefined
    if (slot.exitAt !== 0) return { vault: inLowerCase(at), requestedAt: slot.exitAt }
  }
  return undefined
}
