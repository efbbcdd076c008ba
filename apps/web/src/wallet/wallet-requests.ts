import { showToast } from '@clearwell/ui/components/toast-store.ts'
import { type Address, encodeFunctionData, erc20Abi, type Hex, type TypedDataDomain } from 'viem'
import { estimateGas, getBlockNumber } from 'viem/actions'
import {
  getConnection,
  getConnectorClient,
  sendTransaction,
  signMessage,
  signTypedData,
  switchChain,
} from 'wagmi/actions'
import { blockReloadWhile } from '../browser/page-reload.ts'
import { connectedAddress, nodeOf, type RequiredChain } from './chain-reads.ts'
import { callDigest } from './follow-transaction.ts'
import { checkedPermit, permitToSign, type SignedPermit } from './permit.ts'
import type { ChainCall, SentTransaction } from './sent-transaction.ts'
import { walletErrorText } from './wallet-error.ts'

interface Approval {
  readonly token: string
  readonly spender: string
  readonly units: bigint
}

/** Requests that the connected wallet shows its user. The page is not reloaded while one is open. */
export function walletRequests(chain: RequiredChain) {
  const { config } = chain
  return {
    switchToRequiredChain: () => switchToRequiredChain(chain),

    /** Signs a text (personal_sign) with this account, which must belong to the connection. */
    signMessage({ message, account }: { message: string; account: string }): Promise<Hex> {
      return blockReloadWhile(signMessage(config, { message, account: account as Address }))
    },

    /** Sends a transaction on the required chain. @returns it as soon as the wallet has sent it. */
    sendTransaction(call: { to: string; data?: string; value?: bigint }): Promise<SentTransaction> {
      return send(chain, call)
    },

    approvalCall,

    /** Approves `spender` for exactly `units` of a token. @returns the approval as soon as the wallet has sent it. */
    approveExact(approval: Approval): Promise<SentTransaction> {
      return send(chain, approvalCall(approval))
    },

    /**
     * Asks the wallet to sign that `spender` may take exactly `units` of a token, once, within 30 minutes.
     *
     * @returns `undefined` where the signature is not by the account's own key.
     */
    signPermit(permit: { domain: TypedDataDomain; spender: string; units: bigint }): Promise<SignedPermit | undefined> {
      const { domain, spender, units } = permit
      return onRequiredChain(chain, async () => {
        const owner = connectedAddress(chain)
        const typedData = await permitToSign(nodeOf(chain), { domain, owner, spender: spender as Address, units })
        return checkedPermit(typedData, await signTypedData(config, { account: owner, ...typedData }))
      })
    },
  }
}

/** The call that approves `spender` for exactly `units` of a token. */
function approvalCall({ token, spender, units }: Approval): ChainCall {
  const args = [spender as Address, units] as const
  return { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }), value: 0n }
}

/** Asks the wallet to switch to the required chain, and to add the chain first where it lacks it. */
async function switchToRequiredChain({ config, chainId }: RequiredChain): Promise<void> {
  if (getConnection(config).chainId === chainId) return
  await switchChain(config, { chainId })
}

/**
 * Returns a function that asks the wallet to switch whenever it is connected on another chain: once each time it gets
 * there, so that a user who rejects the switch is not asked again.
 */
export function requiredChainKeeper(chain: RequiredChain): () => void {
  let askedFor: string | undefined
  return () => {
    const { status, chainId, connector } = getConnection(chain.config)
    const isElsewhere = status === 'connected' && chainId !== chain.chainId
    const target = isElsewhere ? `${connector.uid} ${chainId}` : undefined
    const isNew = target !== undefined && target !== askedFor
    askedFor = target
    if (isNew) blockReloadWhile(switchToRequiredChain(chain)).catch((error) => showToast(walletErrorText(error)))
  }
}

/** Runs `request` once the wallet itself confirms that it is on the required chain. */
function onRequiredChain<Result>(chain: RequiredChain, request: () => Promise<Result>): Promise<Result> {
  const work = async () => {
    await switchToRequiredChain(chain)
    await getConnectorClient(chain.config, { chainId: chain.chainId })
    return request()
  }
  return blockReloadWhile(work())
}

function send(
  chain: RequiredChain,
  { to, data = '0x', value = 0n }: { to: string; data?: string; value?: bigint },
): Promise<SentTransaction> {
  return onRequiredChain(chain, async () => {
    const from = connectedAddress(chain)
    // Without a response from the node the transaction is still sent, but a replacement may not be found.
    const since = getBlockNumber(nodeOf(chain), { cacheTime: 0 }).then(String, () => undefined)
    const gas = data === '0x' ? undefined : await gasOf(chain, { to, data, value })
    const hash = await sendTransaction(chain.config, {
      chainId: chain.chainId,
      to: to as Address,
      ...(gas === undefined ? {} : { gas }),
      ...(data === '0x' ? {} : { data: data as Hex }),
      ...(value === 0n ? {} : { value }),
    })
    return { hash, from, since: await since, call: callDigest({ to, data, value }) }
  })
}

/**
 * The gas to offer for a call: a fifth more than its estimate. The vault keeps a part in reserve for reading a balance, and an
 * estimate leaves exactly that, so in another block it may not suffice. Unused gas costs nothing.
 *
 * @returns undefined where no node responds: the wallet decides.
 */
async function gasOf(chain: RequiredChain, { to, data, value }: ChainCall): Promise<bigint | undefined> {
  const call = { account: connectedAddress(chain), to: to as Address, data: data as Hex, value }
  return estimateGas(nodeOf(chain), call).then(
    (estimate) => (estimate * 6n) / 5n,
    () => undefined,
  )
}
