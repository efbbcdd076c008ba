import { concatHex, type Hex, padHex, toHex } from 'viem'

/** The header as it is published: numbers of more than 53 bits are decimal text. */
export interface HeaderFields {
  readonly number: string
  readonly previous: string
  readonly ledgerSeq: string
  readonly entryHash: string
  readonly cursorBlock: string
  readonly cursorHash: string
  readonly cursorTime: number
  readonly positionsRoot: string
  readonly pools: string
  readonly rules: string
  readonly boxDay: number
  readonly boxRoot: string
  readonly dataHash: string
  readonly depth: number
  readonly rtRoot: string
  readonly rtUsers: string
  readonly assets: readonly AssetFields[]
}

export type AssetFields = Readonly<Record<(typeof ASSET_FIELDS)[number], string>>

/** One line of `headers.jsonl`. */
export interface HeaderLine {
  readonly number: bigint
  readonly previous: string
  readonly hash: Hex
  /** Absent: the server gives only the place in the chain. */
  readonly signed?: { readonly fields: HeaderFields; readonly root: Hex; readonly bookkeeper: Hex | undefined }
}

const HEADER_FIELDS = [
  ...(['number', 'previous', 'ledgerSeq', 'entryHash', 'cursorBlock', 'cursorHash', 'cursorTime'] as const),
  ...(['positionsRoot', 'pools', 'rules', 'boxDay', 'boxRoot', 'dataHash', 'depth', 'rtRoot', 'rtUsers'] as const),
] as const
const ASSET_FIELDS = [
  ...(['token', 'root', 'users', 'lending', 'payouts', 'house', 'locked'] as const),
  ...(['depositedSeen', 'paidSeen', 'exitedSeen', 'payoutPaidSeen'] as const),
] as const
const HASHES = new Set<string>([
  ...[
    'previous',
    'entryHash',
    'cursorHash',
    'positionsRoot',
    'pools',
    'rules',
    'boxRoot',
    'dataHash',
    'rtRoot',
    'root',
  ],
])
/** The vault lists at most 16. */
const MOST_ASSETS = 16

/** Reads a line of `headers.jsonl`, whose sender is not trusted. @throws Error if a field is missing or malformed. */
export function parseHeaderLine(text: string): HeaderLine {
  const value = JSON.parse(text)
  if (typeof value !== 'object' || value === null) throw new Error('a header is no object')
  const hash = hex(value.hash, 32)
  const number = whole(value.number)
  if (value.header === undefined) return { number, previous: hex(value.previous, 32), hash }
  const fields = parseFields(value.header)
  if (fields.number !== `${number}`) throw new Error(`the fields of header ${number} have another number`)
  const { root, bookkeeper } = value.signatures ?? {}
  const signed = { fields, root: hex(root, 65), bookkeeper: bookkeeper === null ? undefined : hex(bookkeeper, 65) }
  return { number, previous: fields.previous, hash, signed }
}

/** Returns a line as `headers.jsonl` has it, without anything else that its sender added. */
export function toJson({ number, previous, hash, signed }: HeaderLine): object {
  if (!signed) return { number: `${number}`, previous, hash }
  const { fields: header, root, bookkeeper = null } = signed
  return { number: `${number}`, hash, header, signatures: { root, bookkeeper } }
}

function parseFields(value: Readonly<Record<string, unknown>>): HeaderFields {
  if (!Array.isArray(value.assets) || value.assets.length > MOST_ASSETS) throw new Error('assets are malformed')
  const fields = Object.fromEntries(HEADER_FIELDS.map((name) => [name, parseField(name, value[name])]))
  const assets = value.assets.map((each: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(ASSET_FIELDS.map((name) => [name, parseField(name, each[name])])),
  )
  return { ...fields, assets } as unknown as HeaderFields
}

function parseField(name: string, value: unknown): string | number {
  if (HASHES.has(name)) return hex(value, 32)
  if (name === 'token') return hex(value, 20)
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  return `${whole(value)}`
}

function whole(value: unknown): bigint {
  if (typeof value !== 'string' || !/^(0|[1-9]\d{0,38})$/.test(value)) throw new Error('a number is malformed')
  return BigInt(value)
}

function hex(value: unknown, bytes: number): Hex {
  if (typeof value !== 'string' || value.length !== 2 + 2 * bytes || !/^0x[0-9a-fA-F]*$/.test(value))
    throw new Error(`a hex value is not ${bytes} bytes`)
  return value.toLowerCase() as Hex
}

/** Returns a header as the vault takes it: its fields, then those of each asset, each as one word of 32 bytes. */
export function encodeHeader(fields: HeaderFields): Hex {
  return concatHex([
    ...HEADER_FIELDS.map((name) => wordOf(fields[name])),
    ...fields.assets.flatMap((asset) => ASSET_FIELDS.map((name) => wordOf(asset[name]))),
  ])
}

function wordOf(value: string | number): Hex {
  if (typeof value === 'string' && value.startsWith('0x')) return padHex(value as Hex, { size: 32 })
  return toHex(BigInt(value), { size: 32 })
}
