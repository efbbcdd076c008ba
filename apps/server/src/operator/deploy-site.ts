import { readFile, writeFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Address, createPublicClient, type Hex, http, type PublicClient } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { ConfigError } from '../config/config-error.ts'
import { composeSchema } from '../config/read-config.ts'
import { readSecret } from '../config/secret-files.ts'
import { CONFIG_PARTS, type FileConfig } from '../load-config.ts'
import { commandLine } from '../platform/process/command-line.ts'
import type { Output } from './run-operator.ts'

/** The vault's daily limit in daily caps of the server: then honest vouchers never meet it. See vault/README.md. */
export const LIMIT_IN_CAPS = 2n

type Environment = Readonly<Record<string, string | undefined>>

/** A transaction as a multisig or a hardware wallet takes it. Absent `to`: it creates a contract. */
export interface Step {
  readonly what: string
  readonly to?: Address
  readonly data: Hex
}

/**
 * Opens what a vault is deployed with: the node and the configuration file.
 *
 * @throws ConfigError for no node, a node of another chain, and a file that cannot be read.
 */
export async function openSite(
  file: string,
  variables: Environment,
): Promise<{ url: string; client: PublicClient; text: string; config: FileConfig }> {
  const rpcUrl = readSecret('CHAIN_RPC_URL', variables)
  if (!rpcUrl) throw new ConfigError('CHAIN_RPC_URL must be set: it is the node that the vault is deployed through.')
  const [url = ''] = rpcUrl.split(',')
  const { text, config } = await readConfigFile(file)
  const client = createPublicClient({ transport: http(url), cacheTime: 0 })
  await refuseWrongChain(client, config.chain.id)
  return { url, client, text, config }
}

/** The account that sends the transactions: any with coins for gas. Its key is a secret. */
export function deployerAccount(variables: Environment): PrivateKeyAccount {
  try {
    return privateKeyToAccount(readSecret('DEPLOYER_KEY', variables) as Hex)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError('DEPLOYER_KEY is not a valid private key: it must be 0x and 64 hex characters.')
  }
}

/** Prints the transactions of a dry run. */
export function showSteps(steps: readonly Step[], log: Output['log']): void {
  for (const [index, { what, data }] of steps.entries()) log(`${index + 1}. ${what}:\n${data}`)
}

/** Writes the vault and its block into the configuration file, and leaves the rest of it as it was written. */
export async function writeChain(
  file: string,
  text: string,
  { vault, vaultBlock }: { vault: Address; vaultBlock: number },
): Promise<void> {
  const changed = text
    .replace(/("vault"\s*:\s*)(null|"[^"]*")/, `$1"${vault}"`)
    .replace(/("vaultBlock"\s*:\s*)\d+/, `$1${vaultBlock}`)
  const expected = JSON.parse(text)
  Object.assign(expected.chain, { vault, vaultBlock })
  const isExact = isDeepStrictEqual(JSON.parse(changed), expected)
  await writeFile(file, isExact ? changed : `${JSON.stringify(expected, null, 2)}\n`)
}

/** Its rules for the start do not count: the vault is not known yet. */
async function readConfigFile(file: string): Promise<{ text: string; config: FileConfig }> {
  try {
    const text = await readFile(file, 'utf8')
    return { text, config: composeSchema(CONFIG_PARTS).parse(JSON.parse(text)) as FileConfig }
  } catch {
    throw new ConfigError(
      `The configuration file ${file} cannot be read. \`${commandLine('operator')} check\` says more.`,
    )
  }
}

async function refuseWrongChain(client: PublicClient, expected: number): Promise<void> {
  const actual = await client.getChainId().catch(() => {
    throw new ConfigError('The node at CHAIN_RPC_URL does not respond.')
  })
  if (actual !== expected) throw new ConfigError(`The node at CHAIN_RPC_URL is chain ${actual}, not ${expected}.`)
}
