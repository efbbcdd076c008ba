import { controlChain } from '@clearwell/server/src/platform/chain/testing/local-chain.ts'
import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { type Address, encodeFunctionData, type Hex } from 'viem'
import { mnemonicToAccount, privateKeyToAddress } from 'viem/accounts'

const OWNER = mnemonicToAccount('test test test test test test test test test test test junk')
const CHAIN_ID = 31337

/** The vault of a running server. */
export async function vaultOf(url: string): Promise<Address> {
  const { data } = (await (await fetch(`${url}/api/config`)).json()) as { readonly data: { readonly vault: Address } }
  return data.vault
}

/** Sends a transaction from the owner of the local chain's vault. @throws Error where it fails. */
export async function sendAsOwner(rpcUrl: string, call: { readonly to: Address; readonly data: Hex }): Promise<Hex> {
  const control = controlChain({ rpcUrl, chainId: CHAIN_ID })
  const wallet = control.wallet(OWNER)
  const hash = await wallet.sendTransaction({ ...call, gas: 500_000n, account: OWNER, chain: wallet.chain })
  const { status } = await control.receipt(hash)
  if (status !== 'success') throw new Error(`the transaction ${hash} failed`)
  return hash
}

/** The vault's owner appoints the account of another key, as after the loss of the signer's. */
export async function appointSigner(rpcUrl: string, vault: Address, key: Hex): Promise<void> {
  const args = [privateKeyToAddress(key)] as const
  await sendAsOwner(rpcUrl, {
    to: vault,
    data: encodeFunctionData({ abi: clearwellVaultAbi, functionName: 'setSigner', args }),
  })
}
