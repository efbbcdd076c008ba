import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { encodeFunctionData, zeroAddress, zeroHash } from 'viem'

/**
 * The call that pays the vault.
 *
 * @param token the asset's contract, or `null` for the native coin.
 * @param units in the token's own decimals.
 * @param orderId 32 bytes as hex, or `null` for a payment without an order.
 */
export function vaultDeposit(deposit: {
  vault: `0x${string}`
  token: `0x${string}` | null
  units: bigint
  orderId: string | null
}): { to: `0x${string}`; data: `0x${string}`; value: bigint } {
  const { vault, token, units, orderId } = deposit
  const data = encodeFunctionData({
    abi: clearwellVaultAbi,
    functionName: 'deposit',
    args: [token ?? zeroAddress, units, (orderId ?? zeroHash) as `0x${string}`],
  })
  return { to: vault, data, value: token === null ? units : 0n }
}
