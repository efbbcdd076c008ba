import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { type ContractErrorName, toFunctionSelector } from 'viem'
import { causes } from './wallet-error.ts'

/** The vault's errors that a person can act on. */
const NAMES = [
  'EnforcedPause',
  'VoucherExpired',
  'NonceUsed',
  'WithdrawalExceedsCap',
  'WithdrawalExceedsLimit',
  'NotSignedBySigner',
  'NativeTransferFailed',
] as const satisfies readonly ContractErrorName<typeof clearwellVaultAbi>[]

export type VaultRevert = (typeof NAMES)[number]

/** The same errors of the vault with exits, where they have another form. */
const WITH_EXITS: Partial<Record<VaultRevert, string>> = {
  EnforcedPause: 'VaultPaused()',
  VoucherExpired: 'VoucherExpired(uint256)',
  NotSignedBySigner: 'NotSignedBySigner()',
}

/** Which of the vault's errors a node or a wallet names, by its name or its selector, at any depth of the error. */
export function vaultRevert(error: unknown): VaultRevert | undefined {
  const texts = causes(error).flatMap((cause) => textsOf(cause))
  return NAMES.find((name) => {
    const other = WITH_EXITS[name]
    const more = other ? `|\\b${other.split('(')[0]}\\b|${toFunctionSelector(other)}` : ''
    const named = new RegExp(`\\b${name}\\b|${selectorOf(name)}${more}`, 'i')
    return texts.some((text) => named.test(text))
  })
}

function selectorOf(name: VaultRevert): string {
  const types = clearwellVaultAbi.flatMap((item) =>
    item.type === 'error' && item.name === name ? item.inputs.map(({ type }) => type) : [],
  )
  return toFunctionSelector(`${name}(${types.join()})`)
}

/** An error's words, and the data that nodes put beside them in more than one shape. */
function textsOf(cause: object): string[] {
  const { message, details, data } = cause as { message?: unknown; details?: unknown; data?: unknown }
  const within = typeof data === 'object' && data !== null ? textsOf(data) : []
  return [...[message, details, data].filter((text) => typeof text === 'string'), ...within]
}
