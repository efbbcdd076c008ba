import { randomBytes } from 'node:crypto'
import { getAddress, type PublicClient } from 'viem'
import { verifyMessage } from 'viem/actions'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import { parseAddress } from '../../platform/ledger/address.ts'
import { refusal } from '../../platform/ledger/refuse.ts'
import type { Sessions } from '../../platform/sessions/sessions.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { UserRow, UserStore } from './user.store.ts'

/**
 * Nonces that one address gets without a limit on the rate; further ones are limited per half of a nonce's lifetime.
 * Together at most five are open per address, so a flood of requests cannot fill the table.
 */
const FREE_NONCES = 3
const NONCES_PER_HALF_LIFE = 2
/** An invite code as {@link inviteCode} makes them, in any case of letters. */
const INVITE_CODE = /^[0-9A-Z]{1,16}$/i
/** Invite codes are read aloud and typed: no 0/O, 1/I/L. */
const INVITE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const INVITE_LENGTH = 8

const statementOf = (productName: string) =>
  `Sign in to ${productName}. This signature only proves that this wallet is yours: it moves no money and approves nothing.`

/** Judges a signature of a message, also one of a smart-contract wallet (ERC-1271, ERC-6492). */
export type VerifySignature = (claim: {
  address: `0x${string}`
  message: string
  signature: `0x${string}`
}) => Promise<boolean>

export interface SignInDependencies {
  readonly store: UserStore
  readonly sessions: Sessions
  readonly clock: Clock
  readonly verifySignature: VerifySignature
  readonly chainId: number
  readonly productName: string
  /** The address that people open the app at. */
  readonly publicUrl: () => string
  readonly nonceTtlMs: number
}

export function chainSignatures(client: PublicClient): VerifySignature {
  return async (claim) => {
    try {
      return await verifyMessage(client, claim)
    } catch {
      // A signature that cannot even be read is one that does not match.
      return false
    }
  }
}

/**
 * The EIP-4361 message for an address to sign.
 *
 * No message is closed early. When several are open, the newest is returned again during the first half of its lifetime;
 * after that a new one is made. So every returned message stays valid for at least half a lifetime, and a stranger who
 * requests nonces of another address cannot end its sign-in.
 *
 * @throws Refusal `invalid_account`.
 */
export async function getNonce(deps: SignInDependencies, addressText: string): Promise<{ nonceStr: string }> {
  const { store, clock, chainId, productName, nonceTtlMs } = deps
  const publicUrl = deps.publicUrl()
  const userId = parseAddress(addressText)
  const now = clock.now()
  await store.deleteExpiredNonces(now)
  const open = await store.openNonces(userId, now)
  const [newest] = open
  const recent = open.filter((each) => now.getTime() - each.issued_at.getTime() < nonceTtlMs / 2)
  // With two recent ones at most beside three, those issued in two halves of a life are never more than five; and where
  // none is recent a new one is made, so the newest is.
  if (newest && open.length >= FREE_NONCES && recent.length >= NONCES_PER_HALF_LIFE) return { nonceStr: newest.message }
  const nonce = randomBytes(16).toString('hex')
  const expiresAt = new Date(now.getTime() + nonceTtlMs)
  const message = createSiweMessage({
    domain: new URL(publicUrl).host,
    address: getAddress(userId),
    statement: statementOf(productName),
    uri: publicUrl,
    version: '1',
    chainId,
    nonce,
    issuedAt: now,
    expirationTime: expiresAt,
  })
  await store.insertNonce(userId, { nonce, message, issued_at: now, expires_at: expiresAt })
  return { nonceStr: message }
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
  input: { address: string; signature: string; pid?: string | undefined },
): Promise<{ token: string; user: UserRow }> {
  const { store, sessions, clock, verifySignature } = deps
  const userId = parseAddress(input.address)
  const { signature } = input
  if (!/^0x([0-9a-fA-F]{2})+$/.test(signature)) throw refusal('signature_failed', { reason: 'malformed' })
  const now = clock.now()
  let signed: string | undefined
  for (const { nonce, message } of await store.openNonces(userId, now)) {
    const { address } = parseSiweMessage(message)
    if (!address || address.toLowerCase() !== userId) continue
    if (await verifySignature({ address, message, signature: signature as `0x${string}` })) {
      signed = nonce
      break
    }
  }
  if (!signed || !(await store.useNonce(signed, now))) throw refusal('signature_failed', { reason: 'no_open_message' })
  const user = (await store.user(userId)) ?? (await createUser(deps, userId, input.pid))
  return { token: await sessions.begin(userId), user }
}

async function createUser({ store, clock }: SignInDependencies, id: string, pid: string | undefined): Promise<UserRow> {
  // A user that does not exist yet has no children, so a parent given here can never close a circle.
  const isCode = pid !== undefined && INVITE_CODE.test(pid)
  const parentId = isCode ? await store.userByInviteCode(pid.toUpperCase()) : undefined
  await store.insertUser({
    id,
    invite_code: inviteCode(),
    parent_id: parentId ?? null,
    nickname: '',
    created_at: clock.now(),
  })
  const user = await store.user(id)
  if (!user) throw new Error('a user that was just made is missing')
  return user
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
