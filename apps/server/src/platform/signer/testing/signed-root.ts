import { type Header, type HeaderDomain, hashHeader } from '@clearwell/proofs/header'
import { nativeAsset } from '@clearwell/vault/abi/withdrawal-typed-data'
import { privateKeyToAccount } from 'viem/accounts'
import type { RootKeys, SignedRoot } from '../voucher-root.ts'

export const ROOT_ACCOUNT = privateKeyToAccount(`0x${'61'.repeat(32)}`)
/** A bookkeeper that is away. */
const OTHER_BOOK_ACCOUNT = privateKeyToAccount(`0x${'63'.repeat(32)}`)
export const BOOK_ACCOUNT = privateKeyToAccount(`0x${'62'.repeat(32)}`)
export const ROOT_KEYS: RootKeys = {
  rootKey: ROOT_ACCOUNT.address.toLowerCase(),
  bookkeepers: [OTHER_BOOK_ACCOUNT, BOOK_ACCOUNT].map(({ address }) => address.toLowerCase()),
}

const HASH = `0x${'00'.repeat(32)}` as const

/** A header of a ledger whose only money are locked units of the native coin. */
export function headerWith({
  number,
  ledgerSeq,
  locked,
}: {
  readonly number: bigint
  readonly ledgerSeq: bigint
  readonly locked: bigint
}): Header {
  const none = { lending: 0n, payouts: 0n, house: 0n, depositedSeen: 0n, paidSeen: 0n, exitedSeen: 0n }
  return {
    ...{ number, previous: HASH, ledgerSeq, entryHash: HASH, cursorBlock: 1n, cursorHash: HASH, cursorTime: 1 },
    ...{ positionsRoot: HASH, pools: HASH, rules: HASH, boxDay: 0, boxRoot: HASH, dataHash: HASH },
    ...{ depth: 20, rtRoot: HASH, rtUsers: 0n },
    assets: [{ token: nativeAsset, root: HASH, users: locked, locked, payoutPaidSeen: 0n, ...none }],
  }
}

/** Signs a header as both keys do, or as others. */
export async function signRoot(
  header: Header,
  domain: HeaderDomain,
  { root = ROOT_ACCOUNT, book = BOOK_ACCOUNT } = {},
): Promise<SignedRoot> {
  const hash = hashHeader(header, domain)
  return { header, rootSignature: await root.sign({ hash }), bookSignature: await book.sign({ hash }) }
}
