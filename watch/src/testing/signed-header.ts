import { emptyHeader } from '@clearwell/proofs/empty-header'
import { type Header, hashHeader } from '@clearwell/proofs/header'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

interface Signer {
  readonly address: Hex
  sign(of: { readonly hash: Hex }): Promise<Hex>
}

export const ROOT_KEY = privateKeyToAccount(`0x${'51'.repeat(32)}`)
export const BOOK_KEY = privateKeyToAccount(`0x${'52'.repeat(32)}`)
/** No key of the vault. */
export const OTHER_KEY = privateKeyToAccount(`0x${'53'.repeat(32)}`)

export interface HeaderOf {
  readonly domain: { readonly chainId: number; readonly vault: Hex }
  readonly number: bigint
  readonly previous?: Hex
  readonly cursor: { readonly number: bigint; readonly hash: Hex; readonly time: number }
  readonly tokens: readonly Hex[]
  /** Changes fields of the empty ledger's header. */
  readonly change?: (header: Header) => Header
  readonly rootKey?: Signer
  /** `null`: no bookkeeper has signed. */
  readonly bookKey?: Signer | null
}

/** A line of `headers.jsonl`, by the product's code. */
export async function signedLine({ domain, change, rootKey = ROOT_KEY, bookKey = BOOK_KEY, ...of }: HeaderOf) {
  const empty = { ...emptyHeader(of), ...(of.previous ? { previous: of.previous } : {}) }
  const header = change ? change(empty) : empty
  const hash = hashHeader(header, domain)
  const signatures = {
    root: await rootKey.sign({ hash }),
    bookkeeper: bookKey && (await bookKey.sign({ hash })),
  }
  const text = JSON.stringify({ number: header.number, hash, header, signatures, tx_hash: null }, (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
  return { header, hash, signatures, text }
}

export type SignedLine = Awaited<ReturnType<typeof signedLine>>
