import type { Leaf } from '@clearwell/verify/verify-proof'
import type { Hex } from 'viem'

/** A header with its signatures, as the server and bookkeepers give it: numbers are decimal text. */
export interface SignedHeader {
  readonly number: string
  readonly hash: Hex
  readonly header: HeaderFields
  readonly signatures: { readonly root: string; readonly bookkeeper: string | null }
  /** When the vault took it, in seconds, if the file says so. It is only a hint: the vault's slot decides. */
  readonly postedAt: number | undefined
}

/** The fields of a header that the kit reads; all of them are hashed. */
export interface HeaderFields {
  readonly number: string
  readonly cursorTime: number
  readonly cursorBlock: string
  readonly depth: number
  readonly rtRoot: string
  readonly assets: readonly Readonly<Record<string, string>>[]
}

/** An account's leaves with their paths in one header. */
export interface Paths {
  readonly number: string
  readonly leaves: readonly Leaf[]
}

/** All that the files of a user say. */
export interface KitData {
  readonly chainId: number | undefined
  readonly vault: Hex | undefined
  readonly account: Hex | undefined
  readonly nodes: readonly string[]
  readonly headers: readonly SignedHeader[]
  readonly paths: readonly Paths[]
}

export const NO_DATA: KitData = {
  chainId: undefined,
  vault: undefined,
  account: undefined,
  nodes: [],
  headers: [],
  paths: [],
}

/** More than `GET /proof/headers.jsonl` gives at a time. */
const MAX_LINES = 2_000_000

/** A file that is none of those that the kit reads. */
export class UnknownFile extends Error {}

/**
 * Reads the text of one file: `proof.jsonl` and `headers.jsonl` of a server or a bookkeeper, the response of `POST /proof/mine` with
 * its header, a check that the app has saved, or the data of a personal copy.
 *
 * @throws UnknownFile if it contains neither a header nor a path.
 */
export function readKitData(text: string): KitData {
  const found = new Collector()
  for (const value of valuesIn(text)) found.take(value)
  const data = found.data()
  if (data.headers.length === 0 && data.paths.length === 0) throw new UnknownFile('no header and no path')
  return data
}

/** Joins what several files say; the later one wins. */
export function joinKitData(first: KitData, second: KitData): KitData {
  const headers = new Map([...first.headers, ...second.headers].map((each) => [each.hash, each]))
  const paths = new Map([...first.paths, ...second.paths].map((each) => [each.number, each]))
  return {
    chainId: second.chainId ?? first.chainId,
    vault: second.vault ?? first.vault,
    account: second.account ?? first.account,
    nodes: [...new Set([...first.nodes, ...second.nodes])],
    headers: [...headers.values()].toSorted((a, b) => (BigInt(a.number) < BigInt(b.number) ? -1 : 1)),
    paths: [...paths.values()],
  }
}

/** A whole JSON document, or one on each line, perhaps behind the hash of the line. */
function valuesIn(text: string): unknown[] {
  const whole = parse(text)
  if (whole !== undefined) return [whole]
  return text
    .split('\n', MAX_LINES)
    .map((line) => line.replace(/^[0-9a-f]{64} /, '').trim())
    .filter((line) => line !== '')
    .map((line) => {
      const value = parse(line)
      if (value === undefined) throw new UnknownFile('a line is no JSON')
      return value
    })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Parts of the known files that contain headers, paths or the domain. */
const INSIDE = ['data', 'evidence', 'domain', 'signed', 'newest', 'again', 'mine', 'headers', 'paths'] as const

class Collector {
  #chainId: number | undefined
  #vault: Hex | undefined
  #account: Hex | undefined
  #nodes: string[] = []
  #headers: SignedHeader[] = []
  #paths: { number: string; leaves: Leaf[] }[] = []

  take(value: unknown): void {
    if (Array.isArray(value)) for (const each of value) this.take(each)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    const fields = value as Fields
    this.#takeDomain(fields)
    if (isHeader(fields)) this.#headers.push(toSigned(fields))
    if (Array.isArray(fields.leaves)) {
      const number = String(fields.number ?? this.#headers.at(-1)?.number ?? '')
      this.#paths.push({ number, leaves: fields.leaves.filter(isLeaf) })
    }
    // A line of proof.jsonl: the header is on a line before.
    if (isLeaf(fields.leaf)) this.#takeLeaf(fields.leaf)
    // A bookkeeper gives the time of the post beside the header.
    const { posted_at, signed } = fields
    for (const name of INSIDE) this.take(name === 'signed' && signed ? { posted_at, ...signed } : fields[name])
    if (!isHeader(fields)) this.take(fields.header)
  }

  #takeDomain({ chainId, vault, account, nodes }: Fields): void {
    if (typeof chainId === 'number') this.#chainId = chainId
    if (isAddress(vault)) this.#vault = vault.toLowerCase() as Hex
    if (isAddress(account)) this.#account = account.toLowerCase() as Hex
    if (Array.isArray(nodes)) this.#nodes.push(...nodes.filter((each) => typeof each === 'string'))
  }

  #takeLeaf(leaf: Leaf): void {
    const number = this.#headers.at(-1)?.number ?? ''
    const last = this.#paths.at(-1)
    if (last?.number === number) last.leaves.push(leaf)
    else this.#paths.push({ number, leaves: [leaf] })
  }

  data(): KitData {
    const paths = this.#paths.filter(({ number, leaves }) => number !== '' && leaves.length > 0)
    const found = { chainId: this.#chainId, vault: this.#vault, account: this.#account, nodes: this.#nodes }
    return joinKitData(NO_DATA, { ...found, headers: this.#headers, paths })
  }
}

function isAddress(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)
}

/** A header whose fields are no longer stored has only its place in the chain, and is left out. */
function isHeader({ header, hash }: Fields): boolean {
  const { number, cursorTime, assets } = (header ?? {}) as Fields
  return (
    typeof hash === 'string' && typeof number === 'string' && typeof cursorTime === 'number' && Array.isArray(assets)
  )
}

function isLeaf(value: unknown): value is Leaf {
  const { asset, free, salt, index, path } = (value ?? {}) as Fields
  return (
    typeof asset === 'string' &&
    typeof free === 'string' &&
    typeof salt === 'string' &&
    typeof index === 'number' &&
    Array.isArray(path)
  )
}

function toSigned({ header, hash, signatures, signature, bookkeeper, posted_at }: Fields): SignedHeader {
  const fields = header as HeaderFields
  const both = (signatures ?? { root: signature, bookkeeper }) as Partial<SignedHeader['signatures']>
  const postedMs = typeof posted_at === 'string' ? Date.parse(posted_at) : Number.NaN
  return {
    number: fields.number,
    hash: hash as Hex,
    header: fields,
    signatures: { root: both.root ?? '', bookkeeper: both.bookkeeper ?? null },
    postedAt: Number.isNaN(postedMs) ? undefined : Math.floor(postedMs / 1_000),
  }
}
