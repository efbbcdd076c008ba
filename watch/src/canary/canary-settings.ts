import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Hex, parseEther, parseGwei, zeroAddress } from 'viem'

export const USAGE = `clearwell-canary --node <url> --vault <address> --chain <id> --bookkeeper <url> --deposit <asset>=<amount> [options]

Leaves a Clearwell vault again and again, by a bookkeeper and the chain alone: it deposits, asks for its exit, takes its money seven days
later, compares it to the unit, and begins again. It never calls a server of the product.

  --node <url>        a node of the chain, best your own; may be repeated, the first one that works is used
  --vault <address>   the vault with exits; after a move of the ledger both, the oldest first
  --chain <id>        56 for BNB Smart Chain
  --bookkeeper <url>  where a bookkeeper gives paths (its PATHS_URL); may be repeated
  --deposit <a>=<n>   BNB=0.01, or the token's address and an amount; may be repeated
  --folder <path>     where it stores its state and its record; ./clearwell-canary where absent
  --every <seconds>   between two looks; 60 where absent
  --confirmations <n> blocks on top of a transaction; 15 where absent
  --most-gwei <n>     the most that it pays for each unit of gas; 5 where absent
  --once              looks once, and ends

Its key comes from the environment only, as CANARY_PRIVATE_KEY. The same names in capitals set the other options, such as CANARY_NODE or
CANARY_MOST_GWEI; several values have spaces between them. A name with _FILE behind it is the path of a file with the value.

Exit code of --once: 0 without a fault, 1 with one, 2 if it could not look.`

export interface CanarySettings {
  readonly nodes: readonly string[]
  /** The vaults of the ledger in lower case, the oldest first. */
  readonly vaults: readonly [Hex, ...Hex[]]
  readonly chainId: number
  readonly bookkeepers: readonly string[]
  /** Base units by token in lower case, zero for the native coin. The vault's tokens have 18 decimals. */
  readonly deposits: ReadonlyMap<Hex, bigint>
  readonly folder: string
  readonly everyMs: number
  readonly confirmations: bigint
  /** In wei for each unit of gas. */
  readonly mostFee: bigint
  readonly key: Hex
  readonly isOnce: boolean
}

type Variables = Readonly<Record<string, string | undefined>>

const text = { type: 'string' } as const
const texts = { type: 'string', multiple: true } as const
const OPTIONS = {
  ...{ node: texts, bookkeeper: texts, deposit: texts, vault: texts, chain: text, folder: text, every: text },
  ...{ confirmations: text, 'most-gwei': text },
  once: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

const URL_FORM = /^https?:\/\/\S+$/
const DEPOSIT = /^(BNB|0x[0-9a-fA-F]{40})=(\d{1,12}(?:\.\d{1,18})?)$/

/**
 * Reads the options and the environment.
 *
 * @returns `undefined` for `--help`
 * @throws Error that names the first option that is missing or malformed, without the value of a key
 */
export function readCanarySettings(args: readonly string[], variables: Variables): CanarySettings | undefined {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  if (values.help) return undefined
  const fromVariable = (name: string) =>
    readFileOrValue(`CANARY_${name.toUpperCase().replaceAll('-', '_')}`, variables) || undefined
  const one = (name: 'chain' | 'folder' | 'every' | 'confirmations' | 'most-gwei', form: RegExp, fallback?: string) => {
    const value = values[name] ?? fromVariable(name) ?? fallback
    if (value === undefined) throw new Error(`--${name} is missing`)
    if (!form.test(value)) throw new Error(`--${name} is malformed`)
    return value
  }
  const several = (name: 'node' | 'bookkeeper' | 'deposit' | 'vault', form: RegExp) => {
    const found = values[name] ?? (fromVariable(name) ?? '').split(/\s+/).filter(Boolean)
    if (found.length === 0) throw new Error(`--${name} is missing`)
    if (found.some((each) => !form.test(each))) throw new Error(`--${name} is malformed`)
    return found
  }
  return {
    nodes: several('node', URL_FORM),
    vaults: several('vault', /^0x[0-9a-fA-F]{40}$/).map((vault) => vault.toLowerCase()) as [Hex, ...Hex[]],
    chainId: Number(one('chain', /^\d{1,9}$/)),
    bookkeepers: several('bookkeeper', URL_FORM).map((url) => url.replace(/\/+$/, '')),
    deposits: new Map(several('deposit', DEPOSIT).map(readDeposit)),
    folder: resolve(one('folder', /\S/, 'clearwell-canary')),
    everyMs: Number(one('every', /^[1-9]\d{0,4}$/, '60')) * 1_000,
    confirmations: BigInt(one('confirmations', /^\d{1,4}$/, '15')),
    mostFee: parseGwei(one('most-gwei', /^\d{1,6}(\.\d{1,9})?$/, '5')),
    key: readKey(variables),
    isOnce: values.once ?? false,
  }
}

function readDeposit(value: string): [Hex, bigint] {
  const [, asset = '', amount = ''] = DEPOSIT.exec(value) ?? []
  const units = parseEther(amount)
  if (units === 0n) throw new Error('--deposit is malformed')
  return [asset === 'BNB' ? zeroAddress : (asset.toLowerCase() as Hex), units]
}

/** @throws Error without the value */
function readKey(variables: Variables): Hex {
  const value = readFileOrValue('CANARY_PRIVATE_KEY', variables)
  if (!value) throw new Error('CANARY_PRIVATE_KEY is missing')
  if (!/^0x[0-9a-fA-F]{64}$/.test(value)) throw new Error('CANARY_PRIVATE_KEY must be 0x and 64 hex characters')
  return value as Hex
}

/** The address of a node can hold a key, so it too may be in a file. */
function readFileOrValue(name: string, variables: Variables): string | undefined {
  const path = variables[`${name}_FILE`]
  return path ? readFileSync(path, 'utf8').trim() : variables[name]
}
