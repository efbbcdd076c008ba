import type { FastifyRequest } from 'fastify'
import { refusal } from '../ledger/refuse.ts'
import type { SignedIn } from './request-context.ts'

/** @param tokenHash the token's hash, where the caller has it already. */
export type FindSession = (token: string, tokenHash?: string) => Promise<SignedIn | undefined>

const MAX_TOKEN_CHARACTERS = 200

/** Returns the user whose token the request carries. @throws Refusal `sign_in_again` for an unknown token. */
export async function signedIn(
  request: Pick<FastifyRequest, 'headers' | 'hasUnknownToken' | 'tokenHash'>,
  find: FindSession,
): Promise<SignedIn> {
  const token = request.hasUnknownToken ? undefined : tokenOf(request)
  const user = token === undefined ? undefined : await find(token, request.tokenHash)
  if (!user) throw refusal('sign_in_again')
  return user
}

/** Returns the token that a request carries; `undefined` for text that cannot be one. */
export function tokenOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const token = headers['xx-token']
  const isPlausible = typeof token === 'string' && token.length > 0 && token.length <= MAX_TOKEN_CHARACTERS
  return isPlausible ? token : undefined
}
