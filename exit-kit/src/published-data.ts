import { findOwnLeaves, totalsBefore } from '@clearwell/verify/own-leaves'
import { buildTrees, DataFault, readKeys, readProofData } from '@clearwell/verify/proof-data'
import type { Hex } from 'viem'
import type { BalanceSlot } from './exit-state.ts'
import type { KitData, Paths, SignedHeader } from './kit-data.ts'

export type Keys = NonNullable<ReturnType<typeof readKeys>>

/** The keys that their holders publish after the end, and a copy of the encrypted log. */
export interface Published {
  readonly keys: Keys | undefined
  /** Files of proof data, as the user chose them. */
  readonly files: readonly Blob[]
}

export const NOTHING_PUBLISHED: Published = { keys: undefined, files: [] }

export type Build =
  | { readonly kind: 'reading'; readonly lines: number }
  /** `missing`: assets whose leaf is there, but has other counters than those that were tried. */
  | { readonly kind: 'built'; readonly paths: Paths; readonly missing: readonly string[] }
  | { readonly kind: 'fault'; readonly code: string; readonly values: Readonly<Record<string, string | number>> }

const HEAD_CHARS = 400

/** Returns what a file adds, `undefined` for one of another kind. Proof data can be large, so only its beginning is read here. */
export async function readPublished(file: Blob, before: Published): Promise<Published | undefined> {
  const head = await file.slice(0, HEAD_CHARS).text()
  if (/^\s*\{\s*"number"\s*:\s*"\d+"\s*,\s*"block"\s*:/.test(head)) return { ...before, files: [...before.files, file] }
  if (!head.includes('"clearwell data keys')) return undefined
  const keys = readKeys(JSON.parse(await file.text()))
  return keys && { ...before, keys }
}

export interface BuildOf {
  readonly published: Published
  /** The header that the paths are for: the vault has stored it. */
  readonly signed: SignedHeader
  readonly data: KitData
  readonly account: Hex
  readonly vault: Hex
  /** The vault's counters of now, by token in lower case. */
  readonly balances: ReadonlyMap<string, BalanceSlot>
  /** By asset: amounts in base units that came after the header, or may have, newest first. */
  readonly newest: ReadonlyMap<string, Newest>
  readonly onLines: (lines: number) => Promise<void>
}

export interface Newest {
  readonly deposits: readonly bigint[]
  readonly payments: readonly bigint[]
}

/** Builds the account's paths. Its salt and place come from any earlier path. */
export async function buildPaths(of: BuildOf): Promise<Build> {
  const { keys, files } = of.published
  const own = of.data.paths.flatMap(({ leaves }) => leaves).at(-1)
  if (!own) return fault('no_salt')
  if (!keys || keys.vault !== of.vault.toLowerCase()) return fault('keys_of_other')
  const { header, number } = of.signed
  try {
    const headers = of.data.headers.map((each) => each.header as unknown as Stated)
    const settings = { header: header as unknown as Stated, keys: keys.keys, headers, rest: of.onLines }
    const trees = await buildTrees(await readProofData(linesOf(await inOrder(files)), settings), settings.header)
    const totalsOf = (token: string) => totalsFor(of, token)
    const found = await findOwnLeaves(trees, { account: of.account, salt: own.salt, place: own.index, totalsOf })
    const missing = found.missing.filter((asset) => asset !== 'RT')
    return { kind: 'built', paths: { number, leaves: found.leaves }, missing }
  } catch (error) {
    if (error instanceof DataFault) return { kind: 'fault', code: error.code, values: error.values }
    return fault('other', { reason: error instanceof Error ? error.message : `${error}` })
  }
}

type Stated = Parameters<typeof readProofData>[1]['header']
const fault = (code: string, values: Readonly<Record<string, string | number>> = {}): Build => ({
  kind: 'fault',
  code,
  values,
})

/** The counters that the header may have: those of now, of an earlier path, and those before what came since. */
function totalsFor({ balances, data, newest, signed }: BuildOf, token: string) {
  const { deposited = 0n, paid = 0n } = balances.get(token.toLowerCase()) ?? {}
  const asset = ASSET_AT[signed.header.assets.findIndex((each) => each.token === token)] ?? 'RT'
  const since = newest.get(asset)
  const known = data.paths.flatMap(({ leaves }) => leaves.filter((leaf) => leaf.asset === asset))
  return {
    deposited: [
      ...totalsBefore(deposited, since?.deposits ?? []),
      ...known.map((leaf) => BigInt(leaf.deposited_seen)),
      0n,
    ],
    paid: [...totalsBefore(paid, since?.payments ?? []), ...known.map((leaf) => BigInt(leaf.paid_seen)), 0n],
  }
}

const ASSET_AT = ['BNB', 'USDT', 'ETH']

/** Files in the order of their first block. */
async function inOrder(files: readonly Blob[]): Promise<Blob[]> {
  const firsts = await Promise.all(
    files.map(async (file) => {
      const [, number = '0'] = /"number"\s*:\s*"(\d+)"/.exec(await file.slice(0, HEAD_CHARS).text()) ?? []
      return { file, number: BigInt(number) }
    }),
  )
  return firsts.toSorted((a, b) => (a.number < b.number ? -1 : 1)).map(({ file }) => file)
}

/** Reads lines without holding a file in memory. */
async function* linesOf(files: readonly Blob[]): AsyncGenerator<string> {
  for (const file of files) {
    const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
    if (rest !== '') yield rest
  }
}
