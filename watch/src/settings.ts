import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Hex, parseGwei } from 'viem'

export const USAGE = `clearwell-watch --node <url> --vault <address> --chain <id> --headers <url> [options]

Stores the signed headers of a Clearwell vault, checks them and the vault, and writes each alarm as a line of JSON.
It cannot check sums: whether the balances in a header are right is seen by each user alone, and by the bookkeeper.

  --node <url>        a node of the chain, best your own
  --vault <address>   the vault with exits. Before and after a move again for each, the oldest first
  --chain <id>        56 for BNB Smart Chain
  --vault-block <n>   the block in which the vault was deployed, or an earlier one; 0 where absent. May be repeated, one for each vault
  --headers <url>     headers.jsonl of the server or of a mirror; may be repeated
  --data <url>        data.jsonl of the same server: stores the encrypted proof data and checks them
  --bookkeeper <url>  the statements of a bookkeeper; may be repeated
  --from <number>     the first header to read; the newest root's where absent, 0 for all
  --folder <path>     where it stores what it sees; ./clearwell-watch where absent
  --webhook <url>     gets each alarm by POST, as JSON
  --run <command>     runs on each alarm, with the alarm as JSON on its input
  --every <seconds>   between two looks; 30 where absent
  --confirmations <n> blocks on top of an event; 15 where absent
  --post-after <s>    with a key: posts the newest header when the last post is so old; 6300 where absent
  --most-gwei <n>     the most that a post pays for each unit of gas; 5 where absent
  --once              looks once, and ends

A key that posts comes from the environment only: WATCH_PRIVATE_KEY, or WATCH_PRIVATE_KEY_FILE with the path of a file. The same names in
capitals set the other options, such as WATCH_NODE or WATCH_VAULT_BLOCK; several sources have spaces between them.

Exit code of --once: 0 without alarms, 1 with a new or lasting one, 2 if it could not look.`

export interface Settings {
  readonly node: string
  /** Oldest first. The ledger moves from each to the next. */
  readonly vaults: readonly WatchedVault[]
  readonly chainId: number
  readonly headers: readonly string[]
  readonly data: string | undefined
  readonly bookkeepers: readonly string[]
  readonly from: bigint | undefined
  readonly folder: string
  readonly webhook: string | undefined
  readonly run: string | undefined
  readonly everyMs: number
  readonly confirmations: bigint
  readonly key: Hex | undefined
  readonly postAfterS: number
  /** In wei for each unit of gas. */
  readonly mostFee: bigint
  readonly isOnce: boolean
}

export interface WatchedVault {
  /** In lower case. */
  readonly address: Hex
  /** It was deployed in this block, or later. */
  readonly block: bigint
}

type Variables = Readonly<Record<string, string | undefined>>

const text = { type: 'string' } as const
const OPTIONS = {
  ...{
    node: text,
    chain: text,
    from: text,
    folder: text,
    webhook: text,
    run: text,
    data: text,
  },
  ...{ every: text, confirmations: text, 'post-after': text, 'most-gwei': text },
  vault: { type: 'string', multiple: true },
  'vault-block': { type: 'string', multiple: true },
  headers: { type: 'string', multiple: true },
  bookkeeper: { type: 'string', multiple: true },
  once: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

const URL_FORM = /^https?:\/\/\S+$/
const WHOLE = /^\d{1,18}$/
const ADDRESS = /^0x[0-9a-fA-F]{40}$/

type Several = 'vault' | 'vault-block' | 'headers' | 'bookkeeper'

/**
 * Reads the options and the environment.
 *
 * @returns `undefined` for `--help`
 * @throws Error that names the first option that is missing or malformed, without the value of a key
 */
export function readSettings(args: readonly string[], variables: Variables): Settings | undefined {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  if (values.help) return undefined
  const optional = (name: Exclude<keyof typeof OPTIONS, Several | 'once' | 'help'>) =>
    values[name] ?? (variables[variableOf(name)] || undefined)
  const one = (name: Parameters<typeof optional>[0], form: RegExp, fallback?: string) => {
    const value = optional(name) ?? fallback
    if (value === undefined) throw new Error(`--${name} is missing`)
    if (!form.test(value)) throw new Error(`--${name} is malformed`)
    return value
  }
  const several = (name: Several, form: RegExp) => {
    const given = values[name] ?? (variables[variableOf(name)] ?? '').split(/\s+/).filter(Boolean)
    for (const value of given) if (!form.test(value)) throw new Error(`--${name} is malformed`)
    return given
  }
  const urls = (name: 'headers' | 'bookkeeper') => several(name, URL_FORM).map((url) => url.replace(/\/+$/, ''))
  const headers = urls('headers')
  if (headers.length === 0) throw new Error('--headers is missing')
  return {
    node: one('node', URL_FORM),
    vaults: toVaults(several('vault', ADDRESS), several('vault-block', WHOLE)),
    chainId: Number(one('chain', /^\d{1,9}$/)),
    headers,
    data: optional('data') === undefined ? undefined : one('data', URL_FORM),
    bookkeepers: urls('bookkeeper'),
    from: optional('from') === undefined ? undefined : BigInt(one('from', WHOLE)),
    folder: resolve(one('folder', /\S/, 'clearwell-watch')),
    webhook: optional('webhook') === undefined ? undefined : one('webhook', URL_FORM),
    run: optional('run'),
    everyMs: Number(one('every', /^[1-9]\d{0,4}$/, '30')) * 1_000,
    confirmations: BigInt(one('confirmations', /^\d{1,4}$/, '15')),
    key: readKey(variables),
    postAfterS: Number(one('post-after', /^\d{1,6}$/, '6300')),
    mostFee: parseGwei(one('most-gwei', /^\d{1,6}(\.\d{1,9})?$/, '5')),
    isOnce: values.once ?? false,
  }
}

const variableOf = (name: string) => `WATCH_${name.toUpperCase().replaceAll('-', '_')}`

/** @param blocks one for each vault. Where there are fewer, the last one counts for the rest: they are younger */
function toVaults(addresses: readonly string[], blocks: readonly string[]): WatchedVault[] {
  if (addresses.length === 0) throw new Error('--vault is missing')
  const vaults = addresses.map((address, index) => ({
    address: address.toLowerCase() as Hex,
    block: BigInt(blocks[index] ?? blocks.at(-1) ?? '0'),
  }))
  if (new Set(vaults.map(({ address }) => address)).size < vaults.length) throw new Error('--vault names one twice')
  if (blocks.length > vaults.length) throw new Error('--vault-block is there more often than --vault')
  return vaults
}

/** @throws Error without the value */
function readKey(variables: Variables): Hex | undefined {
  const path = variables.WATCH_PRIVATE_KEY_FILE
  const value = path ? readFileSync(path, 'utf8').trim() : variables.WATCH_PRIVATE_KEY
  if (!value) return undefined
  if (!/^0x[0-9a-fA-F]{64}$/.test(value)) throw new Error('WATCH_PRIVATE_KEY must be 0x and 64 hex characters')
  return value as Hex
}
