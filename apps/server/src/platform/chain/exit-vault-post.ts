import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import {
  BaseError,
  ContractFunctionRevertedError,
  encodeFunctionData,
  type Hex,
  keccak256,
  type LocalAccount,
  type PublicClient,
  TransactionNotFoundError,
  TransactionReceiptNotFoundError,
} from 'viem'
import { type NewestRoot, readNewestRoot } from './exit-vault.ts'

/** A header in the vault's form, with both signatures. */
export interface RootCall {
  readonly header: Hex
  readonly root: Hex
  readonly bookkeeper: Hex
}

export interface TransactionFees {
  /** Wei for each unit of gas. */
  readonly maxFee: bigint
  readonly tip: bigint
}

/** The chain as the account that posts headers uses it. */
export interface PostingChain {
  /** Of the newest block. */
  time(): Promise<Date>
  newestRoot(): Promise<NewestRoot | undefined>
  /** How many transactions of the account are mined, and what it has, in wei. */
  account(): Promise<{ readonly nonce: number; readonly balance: bigint }>
  fees(): Promise<TransactionFees>
  /** Tries the call. Returns the name of the error with which the vault refuses it, or its gas. */
  estimate(call: RootCall): Promise<{ readonly gas: bigint } | { readonly refusal: string }>
  /** Signs a transaction. Nothing is sent. */
  sign(
    call: RootCall,
    of: TransactionFees & { readonly nonce: number; readonly gas: bigint },
  ): Promise<{ readonly hash: Hex; readonly raw: Hex }>
  /** Sends it, also again: the chain takes each once. */
  send(raw: Hex): Promise<void>
  /** True while the node knows it, mined or not. */
  isKnown(hash: Hex): Promise<boolean>
  /** `undefined` unless it is mined. */
  receipt(hash: Hex): Promise<{ readonly isSuccess: boolean; readonly gasUsed: bigint } | undefined>
}

export function createPostingChain({
  client,
  chainId,
  vault,
  account,
}: {
  readonly client: PublicClient
  readonly chainId: number
  readonly vault: Hex
  readonly account: LocalAccount
}): PostingChain {
  const callOf = ({ header, root, bookkeeper }: RootCall) =>
    ({ abi: exitVaultAbi, functionName: 'postRoot', args: [header, root, bookkeeper] }) as const
  const { address } = account
  return {
    time: async () => new Date(Number((await client.getBlock()).timestamp) * 1_000),
    newestRoot: () => readNewestRoot(client, vault),
    async account() {
      const [nonce, balance] = await Promise.all([
        client.getTransactionCount({ address, blockTag: 'latest' }),
        client.getBalance({ address }),
      ])
      return { nonce, balance }
    },
    async fees() {
      const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas()
      return { maxFee: maxFeePerGas, tip: maxPriorityFeePerGas }
    },
    async estimate(call) {
      try {
        // Without a stuck transaction of the account itself, which some nodes would count as mined.
        const at = { blockTag: 'latest' as const, account: address }
        return { gas: await client.estimateContractGas({ address: vault, ...callOf(call), ...at }) }
      } catch (error) {
        const refusal = refusalOf(error)
        if (refusal === undefined) throw error
        return { refusal }
      }
    },
    async sign(call, { nonce, gas, maxFee, tip }) {
      const raw = await account.signTransaction({
        ...{ type: 'eip1559' as const, chainId, nonce, to: vault, data: encodeFunctionData(callOf(call)), gas },
        ...{ maxFeePerGas: maxFee, maxPriorityFeePerGas: tip },
      })
      return { hash: keccak256(raw), raw }
    },
    async send(raw) {
      await client.sendRawTransaction({ serializedTransaction: raw })
    },
    isKnown: (hash) =>
      client.getTransaction({ hash }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof TransactionNotFoundError) return false
          throw error
        },
      ),
    receipt: (hash) =>
      client.getTransactionReceipt({ hash }).then(
        ({ status, gasUsed }) => ({ isSuccess: status === 'success', gasUsed }),
        (error: unknown) => {
          if (error instanceof TransactionReceiptNotFoundError) return undefined
          throw error
        },
      ),
  }
}

/** The name of the contract's error; `undefined` if the call failed for another reason. */
function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof BaseError)) return undefined
  const reverted = error.walk((each) => each instanceof ContractFunctionRevertedError)
  if (!(reverted instanceof ContractFunctionRevertedError)) return undefined
  return reverted.data?.errorName ?? reverted.reason ?? 'without a reason'
}
