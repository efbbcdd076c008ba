import type { Hex } from '@clearwell/proofs/bytes'
import { type Header, hashHeader } from '@clearwell/proofs/header'
import type { ProofSettings } from '../../domain/proofs/proof-books.ts'
import { readHeader } from '../../domain/proofs/signed-roots.ts'
import { type RootKeys, signerOf } from '../../platform/signer/voucher-root.ts'
import type { Store, StoredHeader } from './read-store.ts'
import { RestoreRefused } from './restore-refused.ts'

/** The accounts that sign headers, as far as they are named or configured. */
export type KnownKeys = { readonly [Key in keyof RootKeys]: RootKeys[Key] | undefined }

/** The newest header of a store with signatures, and its fields. */
export interface SignedHeader {
  readonly header: StoredHeader
  readonly fields: Header
}

/**
 * Finds the newest signed header, and recovers from its bytes who signed it. Everything that a header covers is as good as these signatures.
 *
 * @param keys the addresses of the root key and the bookkeepers. Undefined: they are not configured.
 * @returns `undefined` if the store has no signed header with its fields.
 * @throws RestoreRefused if the hash is not that of the fields, or if another account signed.
 */
export async function findSignedHeader(
  { headers }: Pick<Store, 'headers'>,
  { domain, keys }: { readonly domain: ProofSettings['domain']; readonly keys: KnownKeys },
): Promise<SignedHeader | undefined> {
  const header = [...headers.values()].findLast(({ root, fields }) => root !== null && fields !== null)
  if (!header?.fields) return undefined
  const fields = readHeader(header.fields)
  const hash = hashHeader(fields, domain)
  const { number } = header
  if (hash !== header.hash) throw new RestoreRefused(`Header ${number} of the store has another hash than its fields.`)
  const { rootKey, bookkeepers } = keys
  if (rootKey === undefined) throw new RestoreRefused('Name the address of the root key with --root-key.')
  if (bookkeepers === undefined)
    throw new RestoreRefused("Name the address of the bookkeeper's key with --bookkeeper-key.")
  await refuseOthers(hash, { number, signature: header.root, key: 'root key', allowed: [rootKey] })
  await refuseOthers(hash, { number, signature: header.bookkeeper, key: "bookkeeper's key", allowed: bookkeepers })
  return { header, fields }
}

/** @throws RestoreRefused if none of the allowed accounts signed. */
async function refuseOthers(
  hash: Hex,
  of: {
    readonly number: bigint
    readonly signature: string | null
    readonly key: string
    readonly allowed: readonly string[]
  },
): Promise<void> {
  const { number, signature, key, allowed } = of
  const signer = signature === null ? undefined : await signerOf(hash, signature as Hex)
  if (signer !== undefined && allowed.includes(signer)) return
  throw new RestoreRefused(
    `Header ${number} is signed by ${signer ?? 'no account'}, and the ${key} is ${allowed.join(' or ')}.`,
  )
}
