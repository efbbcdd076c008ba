import { randomBytes } from 'node:crypto'
import { getAddress } from 'viem'
import type { UserRow } from '../../domain/members/users.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import type { Sessions } from '../../platform/sessions/sessions.ts'
import { type NonceDependencies, parseUserAddress } from './issue-nonce.ts'
import type { UserStore } from './user.store.ts'
import type { FindSigned } from './verify-signature.ts'

/** An invite code as {@link inviteCode} makes them, in any case of letters. */
const INVITE_CODE = /^[0-9A-Z]{1,16}$/i
/** Invite codes are read aloud and typed: no 0/O, 1/I/L. */
const INVITE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const INVITE_LENGTH = 8

export interface SignInDependencies extends NonceDependencies {
  readonly store: UserStore
  readonly sessions: Sessions
  readonly findSigned: FindSigned
}

/**
 * Signs in with a signature of any message of this address that is still open, and uses its nonce up.
 *
 * @param pid an inviter's invite code, honoured at the first login only; an unknown one is ignored.
 * @returns the token, which is kept hashed only, and the user.
 * @throws Refusal `invalid_account`, or `signature_failed` when no open message has this signature.
 */
export async function login(
  deps: SignInDependencies,
  input: { address: string; signature: string; pid?: string | undefined; clientAddress: string },
): Promise<{ token: string; user: UserRow }> {
  const { store, nonces, sessions, clock, findSigned } = deps
  const userId = parseUserAddress(deps, input.address)
  const { signature } = input
  if (!/^0x([0-9a-fA-F]{2})+$/.test(signature)) throw refusal('signature_failed', { reason: 'malformed' })
  const now = clock.now()
  const signed = await findSigned({
    address: getAddress(userId),
    signature: signature as `0x${string}`,
    messages: await nonces.open(userId, now),
    clientAddress: input.clientAddress,
  })
  if (!signed || !(await nonces.use(userId, signed, now)))
    throw refusal('signature_failed', { reason: 'no_open_message' })
  const user = (await store.user(userId)) ?? (await createUser(deps, userId, input.pid))
  try {
    return { token: await sessions.begin(userId), user }
  } catch (error) {
    // The account was empty and deleted in the meantime: this is a first login.
    if (await store.user(userId)) throw error
    return { user: await createUser(deps, userId, input.pid), token: await sessions.begin(userId) }
  }
}

async function createUser({ store, clock }: SignInDependencies, id: string, pid: string | undefined): Promise<UserRow> {
  // A user that does not exist yet has no children, so a parent given here can never close a circle.
  const isCode = pid !== undefined && INVITE_CODE.test(pid)
  const parentId = isCode ? await store.userByInviteCode(pid.toUpperCase()) : undefined
  await store.insertUser({ ...newUser(id, clock.now()), parent_id: parentId ?? null })
  const user = await store.user(id)
  if (!user) throw new Error('a user that was just made is missing')
  return user
}

/** The row of a user without an inviter. */
export function newUser(id: string, at: Date): Omit<UserRow, 'number'> {
  return { id, invite_code: inviteCode(), parent_id: null, nickname: '', created_at: at }
}

function inviteCode(): string {
  // Rejects the bytes that would favour some letters.
  const limit = 256 - (256 % INVITE_ALPHABET.length)
  let code = ''
  while (code.length < INVITE_LENGTH) {
    for (const byte of randomBytes(INVITE_LENGTH)) {
      if (byte < limit && code.length < INVITE_LENGTH) code += INVITE_ALPHABET[byte % INVITE_ALPHABET.length]
    }
  }
  return code
}
