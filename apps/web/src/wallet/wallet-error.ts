import { m } from '../generated/paraglide/messages.js'

const REFUSED_CODES = [4001, 5000]

/** Whether the user said no in the wallet. */
export function isRefusedByUser(error: unknown): boolean {
  return causes(error).some((cause) => 'code' in cause && REFUSED_CODES.includes(cause.code as number))
}

/** Whether a node or a wallet said that there is too little of the native coin: for the network fee, as a rule. */
export function saysInsufficientFunds(error: unknown): boolean {
  return causes(error).some((cause) =>
    [cause instanceof Error ? cause.message : '', 'details' in cause ? cause.details : ''].some(
      (text) => typeof text === 'string' && /insufficient funds|exceeds the balance of the account/i.test(text),
    ),
  )
}

/**
 * What to say of a wallet's error: what its code or its kind means, else its details, else its message.
 * (Specification §8: the English texts named there are exact.)
 */
export function walletErrorText(error: unknown): string {
  if (isRefusedByUser(error)) return m.connector_refused()
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
