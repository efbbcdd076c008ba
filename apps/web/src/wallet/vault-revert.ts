import { toFunctionSelector } from 'viem'
import { causes } from './wallet-error.ts'

/**
 * The errors of both vaults that a person can act on, each with its forms. The signature names the error, and its first four bytes are in the
 * data of a revert. A test compares them with the contracts.
 */
export const REVERTS = {
  EnforcedPause: ['EnforcedPause()', 'VaultPaused()'],
  VoucherExpired: ['VoucherExpired(uint256,uint256)', 'VoucherExpired(uint256)'],
  NonceUsed: ['NonceUsed(uint256)'],
  WithdrawalExceedsCap: ['WithdrawalExceedsCap(uint256,uint256)'],
  WithdrawalExceedsLimit: ['WithdrawalExceedsLimit(uint256,uint256)'],
  NotSignedBySigner: ['NotSignedBySigner(address)', 'NotSignedBySigner()'],
  NativeTransferFailed: ['NativeTransferFailed(address,uint256)'],
  WithdrawalExceedsLocked: ['WithdrawalExceedsLocked(uint256,uint256)'],
  NotFresh: ['NotFresh(uint40)'],
  VaultClosed: ['VaultClosed()'],
  AssetShort: ['AssetShort(address)'],
  ExitOpen: ['ExitOpen(address)'],
  NoExitOpen: ['NoExitOpen(address)'],
  ExitNotReady: ['ExitNotReady(uint256)'],
  ExitNotBooked: ['ExitNotBooked(uint40)'],
  NothingToPay: ['NothingToPay()'],
  RootFrozen: ['RootFrozen(uint40)'],
  RootNotReached: ['RootNotReached(uint64,uint64)'],
  NotTheLastRoot: ['NotTheLastRoot(uint40)', 'RootNotPosted(uint40)', 'EarlierExitUnknown(uint40)'],
  RootBeforeFloor: ['RootBeforeFloor(uint40,uint40)'],
  WrongPath: ['WrongPath()', 'LeafNeeded(uint32)'],
  /** Too old a header: another one is signed in seconds. */
  CursorTimeOutOfRange: ['CursorTimeOutOfRange(uint40)'],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type VaultRevert = keyof typeof REVERTS

/** Which of the vault's errors a node or a wallet names, by its name or its selector, at any depth of the error. */
export function vaultRevert(error: unknown): VaultRevert | undefined {
  const texts = causes(error).flatMap((cause) => textsOf(cause))
  return (Object.keys(REVERTS) as VaultRevert[]).find((name) => {
    const named = new RegExp(REVERTS[name].map(formOf).join('|'), 'i')
    return texts.some((text) => named.test(text))
  })
}

/** An error's name, or its selector. */
function formOf(signature: string): string {
  return `\\b${signature.split('(')[0]}\\b|${toFunctionSelector(signature)}`
}

/** An error's words, and the data that nodes put beside them in more than one shape. */
function textsOf(cause: object): string[] {
  const { message, details, data } = cause as { message?: unknown; details?: unknown; data?: unknown }
  const within = typeof data === 'object' && data !== null ? textsOf(data) : []
  return [...[message, details, data].filter((text) => typeof text === 'string'), ...within]
}
