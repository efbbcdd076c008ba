import { m } from '../generated/messages.ts'

const REFUSED_CODES = [4001, 5000]

/** Returns whether the user rejected the request in the wallet. */
export function isRejectedByUser(error: unknown): boolean {
  return causes(error).some((cause) => 'code' in cause && REFUSED_CODES.includes(cause.code as number))
}

/** Returns whether a node or a wallet reports too little of the native coin, usually for the network fee. */
function saysInsufficientFunds(error: unknown): boolean {
  return causes(error).some((cause) =>
    [cause instanceof Error ? cause.message : '', 'details' in cause ? cause.details : ''].some(
      (text) => typeof text === 'string' && /insufficient funds|exceeds the balance of the account/i.test(text),
    ),
  )
}

/**
 * The text for a wallet's error: by its code or its kind, else its details, else its message.
 * (Specification §8: the English texts named there are exact.)
 */
export function walletErrorText(error: unknown): string {
  if (isRejectedByUser(error)) return m.connector_refused()
  for (const cause of causes(error)) {
    const meaning = meaningOf(cause)
    if (meaning !== undefined) return meaning
  }
  for (const cause of causes(error)) {
    if ('details' in cause && typeof cause.details === 'string' && cause.details !== '') return cause.details
  }
  // viem and wagmi add links and versions to their messages, and keep the sentence itself apart.
  if (error instanceof Error && 'shortMessage' in error && typeof error.shortMessage === 'string')
    return error.shortMessage || m.app_something_went_wrong()
  return error instanceof Error && error.message !== '' ? error.message : m.app_something_went_wrong()
}

type Text = () => string

/** Kinds of errors of wagmi and viem, by name, so that their code is not needed here. */
const BY_NAME: Readonly<Record<string, Text>> = {
  ChainNotConfiguredError: m.connector_chain_not_configured,
  ConnectorAlreadyConnectedError: m.connector_already_connected,
  ConnectorNotConnectedError: m.connector_not_connected,
  ConnectorNotFoundError: m.connector_not_found,
  ProviderNotFoundError: m.connector_provider_not_found,
  ConnectorAccountNotFoundError: m.connector_account_not_found,
  ConnectorChainMismatchError: m.connector_chain_differs,
  ChainMismatchError: m.connector_chain_differs,
  UrlRequiredError: m.connector_no_url,
  AccountNotFoundError: m.connector_no_account,
  TimeoutError: m.connector_timed_out,
  RelayError: m.connector_relay_not_reached,
  SwitchChainNotSupportedError: () => m.connector_no_switching({ name: m.connector_this_wallet() }),
}

/** Codes of wallets (EIP-1193, EIP-1474) that have a meaning for people. Of the others the details say more. */
const BY_CODE: Readonly<Record<number, Text>> = {
  4100: m.connector_unauthorised,
  4200: m.connector_unsupported,
  4900: m.connector_lost,
  4901: m.connector_chain_lost,
  4902: m.connector_chain_unknown,
  [-32601]: m.connector_unsupported,
  [-32002]: m.connector_busy,
  [-32004]: m.connector_unsupported,
  [-32005]: m.connector_rate_limited,
}

const TOO_MANY_REQUESTS = 429

function meaningOf(cause: object): string | undefined {
  const byName = 'name' in cause && typeof cause.name === 'string' ? BY_NAME[cause.name] : undefined
  if (byName) return byName()
  if ('code' in cause) {
    const byCode = BY_CODE[cause.code as number]
    if (byCode) return byCode()
  }
  if ('name' in cause && cause.name === 'HttpRequestError') {
    const isLimited = 'status' in cause && cause.status === TOO_MANY_REQUESTS
    return isLimited ? m.connector_rate_limited() : m.connector_not_reached()
  }
  return undefined
}

/** The error, what caused it, what caused that, and so on. */
export function causes(error: unknown): object[] {
  if (typeof error !== 'object' || error === null) return []
  return [error, ...('cause' in error ? causes(error.cause) : [])]
}

/**
 * Why a wallet did not send a transaction. `rejected`: by its user. `gas`: too little of the native coin for the amount
 * and the network fee. `network`: on another chain, and it did not switch. `reverted`: the chain would revert the
 * transaction, so it was not sent. `other`: anything else; whether it was sent is not known.
 */
export type WalletFailure = 'rejected' | 'gas' | 'network' | 'reverted' | 'other'

const NAMES: Readonly<Record<string, WalletFailure>> = {
  InsufficientFundsError: 'gas',
  ExecutionRevertedError: 'reverted',
  ContractFunctionRevertedError: 'reverted',
  ChainMismatchError: 'network',
  ConnectorChainMismatchError: 'network',
  SwitchChainError: 'network',
  SwitchChainNotSupportedError: 'network',
}

/** Sorts a wallet's error by the user's next step. */
export function walletFailure(error: unknown): WalletFailure {
  if (isRejectedByUser(error)) return 'rejected'
  // First, as an estimate that lacks gas is wrapped as a failed execution.
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

/** Codes for a method that the wallet lacks. */
const UNSUPPORTED_CODES = [4200, -32601, -32004]

/** Returns whether a wallet does not support the request: nothing was signed, and another method may work. */
export function isUnsupported(error: unknown): boolean {
  return causes(error).some(
    (cause) =>
      ('code' in cause && UNSUPPORTED_CODES.includes(cause.code as number)) ||
      ('message' in cause && /not support|unsupported|not implemented/i.test(String(cause.message))),
  )
}
