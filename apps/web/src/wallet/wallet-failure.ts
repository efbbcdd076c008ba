import { causes, isRefusedByUser, saysInsufficientFunds } from './wallet-error.ts'

/**
 * Why a wallet did not send a transaction. `refused`: the user said no. `gas`: too little of the native coin for the
 * amount and the network fee. `network`: it is on another chain and could not be switched. `reverted`: the chain would
 * have thrown the transaction out, so it was not sent. `other`: anything else; whether it was sent is not known.
 */
export type WalletFailure = 'refused' | 'gas' | 'network' | 'reverted' | 'other'

const NAMES: Readonly<Record<string, WalletFailure>> = {
  InsufficientFundsError: 'gas',
  ExecutionRevertedError: 'reverted',
  ContractFunctionRevertedError: 'reverted',
  ChainMismatchError: 'network',
  ConnectorChainMismatchError: 'network',
  SwitchChainError: 'network',
  SwitchChainNotSupportedError: 'network',
}

/** Sorts a wallet's error by what the user can do about it. */
export function walletFailure(error: unknown): WalletFailure {
  if (isRefusedByUser(error)) return 'refused'
  // Before all else: an estimate that failed for want of gas is wrapped as an execution that failed.
  if (saysInsufficientFunds(error)) return 'gas'
  for (const cause of causes(error)) {
    const byName = 'name' in cause ? NAMES[String(cause.name)] : undefined
    if (byName) return byName
    if ('code' in cause && cause.code === 4902) return 'network'
    const text = 'message' in cause ? String(cause.message) : ''
    if (/execution reverted/i.test(text)) return 'reverted'
  }
  return 'other'
}

/** Codes of a method that a wallet does not have. */
const UNSUPPORTED_CODES = [4200, -32601, -32004]

/** Whether a wallet said that it knows no such request: then nothing was signed, and another way may do. */
export function isUnsupported(error: unknown): boolean {
  return causes(error).some(
    (cause) =>
      ('code' in cause && UNSUPPORTED_CODES.includes(cause.code as number)) ||
      ('message' in cause && /not support|unsupported|not implemented/i.test(String(cause.message))),
  )
}
