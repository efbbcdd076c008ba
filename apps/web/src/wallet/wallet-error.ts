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

/** What to say of a wallet's error: that the user refused, else its details, else its message. */
export function walletErrorText(error: unknown): string {
  if (isRefusedByUser(error)) return m.connector_refused()
  for (const cause of causes(error)) {
    if ('details' in cause && typeof cause.details === 'string' && cause.details !== '') return cause.details
  }
  return error instanceof Error && error.message !== '' ? error.message : m.app_something_went_wrong()
}

/** The error, what caused it, what caused that, and so on. */
export function causes(error: unknown): object[] {
  if (typeof error !== 'object' || error === null) return []
  return [error, ...('cause' in error ? causes(error.cause) : [])]
}
