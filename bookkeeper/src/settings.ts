import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Hex, isAddress } from 'viem'

/** The settings of the environment. */
export interface Settings {
  /** Of one of the product's servers, without a slash at its end. */
  readonly serverUrl: string
  readonly token: string
  /** Of the bookkeeper's own node. */
  readonly rpcUrl: string
  readonly vault: Hex
  /** The vaults that the ledger has left, in lower case. */
  readonly replaced?: readonly Hex[]
  /** The block in which the first of all these vaults was deployed. */
  readonly startBlock: bigint
  /** The private key. */
  readonly key: Hex
  readonly dataSecret: Uint8Array
  readonly folder: string
  readonly host: string
  readonly port: number
  /** Where users get their paths; absent: nowhere. */
  readonly paths?: PathSettings
}

export interface PathSettings {
  readonly host: string
  readonly port: number
  /** The address that people reach the port at. Wallets show its host. */
  readonly url: string
}

type Variables = Readonly<Record<string, string | undefined>>

const SECRET = /^0x[0-9a-fA-F]{64}$/

/**
 * Reads the environment. A secret may be in a file that `<name>_FILE` names.
 *
 * @throws Error that names the first variable that is missing or malformed, without the value of a secret.
 */
export function readSettings(variables: Variables): Settings {
  const text = (name: string, pattern: RegExp, fallback?: string): string => {
    const value = variables[name] || fallback
    if (value === undefined) throw new Error(`${name} is missing`)
    if (!pattern.test(value)) throw new Error(`${name} is malformed`)
    return value
  }
  const secret = (name: string) => readSecret(name, variables)
  const vault = text('VAULT_ADDRESS', /^0x[0-9a-fA-F]{40}$/)
  if (!isAddress(vault, { strict: false })) throw new Error('VAULT_ADDRESS is malformed')
  return {
    serverUrl: text('SERVER_URL', /^https?:\/\/\S+$/).replace(/\/+$/, ''),
    token: secret('BOOKKEEPER_TOKEN'),
    rpcUrl: readUrl('CHAIN_RPC_URL', variables),
    vault,
    replaced: readReplaced(variables, vault),
    startBlock: BigInt(text('VAULT_BLOCK', /^\d{1,12}$/)),
    key: secret('BOOKKEEPER_KEY'),
    dataSecret: Buffer.from(secret('PROOF_DATA_KEY').slice(2), 'hex'),
    folder: resolve(text('BOOKKEEPER_DIR', /\S/, '.bookkeeper')),
    host: text('HOST', /^\S+$/, '127.0.0.1'),
    port: Number(text('PORT', /^\d{1,5}$/, '3100')),
    ...(variables.PATHS_PORT ? { paths: readPathSettings(text) } : {}),
  }
}

/** @throws Error for an entry that is no address, or is the vault itself. */
function readReplaced({ REPLACED_VAULTS = '' }: Variables, vault: Hex): Hex[] {
  const replaced = REPLACED_VAULTS.split(',').flatMap((text) => text.trim().toLowerCase() || [])
  if (
    !replaced.every((each): each is Hex => isAddress(each, { strict: false })) ||
    replaced.includes(vault.toLowerCase() as Hex)
  )
    throw new Error('REPLACED_VAULTS must be addresses with commas between, without VAULT_ADDRESS')
  return replaced
}

function readPathSettings(text: (name: string, pattern: RegExp, fallback?: string) => string): PathSettings {
  const [host, port] = [text('PATHS_HOST', /^\S+$/, '127.0.0.1'), text('PATHS_PORT', /^\d{1,5}$/)]
  const url = text('PATHS_URL', /^https?:\/\/[^\s/]+$/, `http://${host}:${port}`)
  return { host, port: Number(port), url }
}

/** Reads the private key alone. @throws Error without its value. */
export function readKey(variables: Variables): Hex {
  return readSecret('BOOKKEEPER_KEY', variables)
}

/** Reads the variables of the command `keys`: a holder of the key of the proof data has no store. @throws Error as {@link readSettings} */
export function readKeySettings(variables: Variables): Pick<Settings, 'vault' | 'rpcUrl' | 'dataSecret'> {
  const vault = variables.VAULT_ADDRESS ?? ''
  if (!isAddress(vault, { strict: false })) throw new Error(`VAULT_ADDRESS is ${vault ? 'malformed' : 'missing'}`)
  const dataSecret = Buffer.from(readSecret('PROOF_DATA_KEY', variables).slice(2), 'hex')
  return { vault, rpcUrl: readUrl('CHAIN_RPC_URL', variables), dataSecret }
}

/** @throws Error without the value. */
function readSecret(name: string, variables: Variables): Hex {
  const value = readFileOrValue(name, variables)
  if (!SECRET.test(value)) throw new Error(`${name} must be 0x and 64 hex characters`)
  return value.toLowerCase() as Hex
}

/** The address of a node can hold a key. @throws Error without the value. */
function readUrl(name: string, variables: Variables): string {
  const value = readFileOrValue(name, variables)
  if (!/^https?:\/\/\S+$/.test(value)) throw new Error(`${name} must be one address of http or https`)
  return value
}

function readFileOrValue(name: string, variables: Variables): string {
  const path = variables[`${name}_FILE`]
  const value = path ? readFileSync(path, 'utf8').trim() : variables[name]
  if (!value) throw new Error(`${name} is missing`)
  return value
}
