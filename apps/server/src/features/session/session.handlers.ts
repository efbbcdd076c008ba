import type { ResponseOf } from '@clearwell/api/routes'
import type { sessionRoutes } from '@clearwell/api/session.routes'
import { getAddress } from 'viem'
import type { UserRow } from '../../domain/members/users.ts'
import type { HandlersOf } from '../../platform/http/request-context.ts'
import { shortAddress } from '../../platform/ledger/address.ts'
import { getNonce } from './issue-nonce.ts'
import { login, type SignInDependencies } from './sign-in.ts'

export function sessionHandlers(deps: SignInDependencies): HandlersOf<typeof sessionRoutes> {
  const { store, sessions } = deps
  return {
    getNonce: ({ address }) => getNonce(deps, address),
    async login(payload, { clientAddress }) {
      const { token, user } = await login(deps, { ...payload, clientAddress })
      return { token, user: await userResponse(deps, user) }
    },
    async logout(_payload, { user }) {
      await sessions.revoke(user)
      return {}
    },
    async userinfo(_payload, { user }) {
      const row = await store.user(user.id)
      if (!row) throw new Error('a session without its user')
      return userResponse(deps, row)
    },
  }
}

async function userResponse(
  { store, clock }: Pick<SignInDependencies, 'store' | 'clock'>,
  user: UserRow,
): Promise<ResponseOf<'userinfo'>> {
  const freeze = await store.freeze(user.id, clock.now())
  const terms = await store.terms(user.id)
  return {
    id: user.id,
    address: getAddress(user.id),
    invite_code: user.invite_code,
    ...(await store.standing(user.id)),
    created_at: user.created_at.toISOString(),
    nickname: user.nickname,
    parent: user.parent_id === null ? null : shortAddress(user.parent_id),
    terms: terms ? { version: terms.version, accepted_at: terms.accepted_at.toISOString() } : null,
    frozen: freeze
      ? { since: freeze.frozen_at.toISOString(), until: freeze.ends_at.toISOString(), reason: freeze.reason }
      : null,
  }
}
