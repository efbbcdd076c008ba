import type { Answer } from '@clearwell/api/routes'

/** The result of a look-up, from the point of view of the signed-in account. */
export type RetrieveOutcome =
  | 'credited'
  | 'pending'
  | 'already'
  | 'not_found'
  | 'not_ours'
  | 'failed_on_chain'
  | 'sender_credited'
  | 'sender_pending'

export function retrieveOutcome({ status, reason }: Pick<Answer<'retrieve'>, 'status' | 'reason'>): RetrieveOutcome {
  if (reason === 'sender_credited') return status === 'pending' ? 'sender_pending' : 'sender_credited'
  return reason ?? status
}

/** The hash in a pasted text, without spaces or an explorer's address. */
export function cleanHash(text: string): string {
  const trimmed = text.trim()
  return /0x[0-9a-fA-F]{64}(?![0-9a-fA-F])/.exec(trimmed)?.[0] ?? trimmed
}

export function isHash(text: string): boolean {
  return /^0x[0-9a-fA-F]{64}$/.test(text)
}
