import { causes } from './wallet-error.ts'

/** The vault's errors that a person can do something about, by their first four bytes in vault/src/IClearwellVault.sol. */
const SELECTORS = {
  EnforcedPause: '0xd93c0665',
  VoucherExpired: '0x3bd4ab41',
  NonceUsed: '0x1be5cb2f',
  WithdrawalExceedsCap: '0x3838e0df',
  WithdrawalExceedsLimit: '0x72dc2262',
  NotSignedBySigner: '0x0daf5857',
  NativeTransferFailed: '0xa5b05eec',
} as const

export type VaultRevert = keyof typeof SELECTORS

export const VAULT_REVERTS: Readonly<Record<VaultRevert, string>> = SELECTORS

/** Which of the vault's errors a node or a wallet names, by its name or its first four bytes, however deep in the error. */
export function vaultRevert(error: unknown): VaultRevert | undefined {
  const texts = causes(error).flatMap((cause) => textsOf(cause))
  const names = Object.keys(SELECTORS) as VaultRevert[]
  return names.find((name) => {
    const named = new RegExp(`\\b${name}\\b|${SELECTORS[name]}`, 'i')
    return texts.some((text) => named.test(text))
  })
}

/** What an error says: its words, and the data that nodes put beside them in more than one shape. */
function textsOf(cause: object): string[] {
  const { message, details, data } = cause as { message?: unknown; details?: unknown; data?: unknown }
  const within = typeof data === 'object' && data !== null ? textsOf(data) : []
  return [...[message, details, data].filter((text) => typeof text === 'string'), ...within]
}
