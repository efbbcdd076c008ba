import { claimsAbi } from '@clearwell/vault/abi/claims'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { type Abi, BaseError, decodeErrorResult, type Hex, isHex } from 'viem'

/** Refusals of the vault that the kit explains; every other one has its name shown. */
export const EXPLAINED = [
  ...['ExitOpen', 'NoExitOpen', 'ExitNotReady', 'VaultClosed', 'NothingToPay', 'AssetShort', 'RootFrozen'],
  ...['RootBeforeFloor', 'RootNotPosted', 'NotTheLastRoot', 'EarlierExitUnknown', 'WrongPath', 'LeafNeeded'],
  ...['BalanceUnknown', 'TooLittleGas', 'NativeTransferFailed', 'WrongHeaderLength', 'ReentrancyGuardReentrantCall'],
  ...['VaultNotEnded', 'TooEarly', 'NoReasonToEnd'],
] as const

/** The contract that pays claims has errors of the vault and some more. */
const ERRORS: Abi = [...exitVaultAbi, ...claimsAbi].filter(({ type }) => type === 'error')

export interface Refusal {
  readonly name: string
  readonly args: readonly unknown[]
}

/** Reads the vault's reason from the error of a simulation; `undefined` if the node gave none. */
export function readRefusal(error: unknown): Refusal | undefined {
  const data = dataIn(error)
  if (data === undefined) return undefined
  try {
    const { errorName, args = [] } = decodeErrorResult({ abi: ERRORS, data })
    return { name: errorName, args }
  } catch {
    return undefined
  }
}

/** Nodes and wallets hide the data at several depths. */
function dataIn(error: unknown): Hex | undefined {
  if (error instanceof BaseError) {
    const inner = error.walk((each) => hasData(each))
    if (hasData(inner)) return dataOf(inner)
  }
  for (let each = error, depth = 0; each && depth < 8; depth++) {
    if (hasData(each)) return dataOf(each)
    each = (each as { cause?: unknown; data?: unknown }).cause ?? (each as { data?: unknown }).data
  }
  return undefined
}

function hasData(value: unknown): value is { data: unknown } {
  return dataOf(value) !== undefined
}

function dataOf(value: unknown): Hex | undefined {
  const { data } = (value ?? {}) as { data?: unknown }
  if (isHex(data) && data.length >= 10) return data
  const inner = (data as { data?: unknown } | undefined)?.data
  return isHex(inner) && inner.length >= 10 ? inner : undefined
}
