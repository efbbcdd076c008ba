import { type Account, type Chain, createClient, type Transport, type WalletClient, walletActions } from 'viem'
import { prepareTransactionRequest } from 'viem/actions'

/** Returns the gas to offer for a call to the vault: a fifth more than its estimate. */
export function withSpareGas(estimate: bigint): bigint {
  return (estimate * 6n) / 5n
}

/**
 * A wallet that offers a fifth more gas than the node's estimate. The vault with exits keeps a part of the gas in reserve, and an
 * estimate leaves exactly that: in another block it may not suffice. A call that names its gas keeps it.
 */
export function createSpareGasWallet<chain extends Chain, account extends Account>(wallet: {
  readonly account: account
  readonly chain: chain
  readonly transport: Transport
}): WalletClient<Transport, chain, account> {
  const client = createClient(wallet)
  // The gas comes from the node's eth_fillTransaction or from an estimate. Both end up in the prepared request.
  const prepare = async (request: { readonly gas?: bigint | undefined }) => {
    const prepared: { gas?: bigint | undefined } = await prepareTransactionRequest(client, request as never)
    if (request.gas === undefined && prepared.gas !== undefined) prepared.gas = withSpareGas(prepared.gas)
    return prepared
  }
  // Viem looks for a replaced action in the client that an action was made for: it must be there before the wallet's actions.
  const replaced = client.extend(() => ({ prepareTransactionRequest: prepare as never }))
  return replaced.extend(walletActions as never) as never
}
