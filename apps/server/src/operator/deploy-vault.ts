import { parseArgs } from 'node:util'
import { clearwellVaultAbi as abi, clearwellVaultBytecode as bytecode } from '@clearwell/vault/abi/clearwell-vault'
import {
  type AbiFunction,
  type Address,
  BaseError,
  createWalletClient,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  http,
  isAddress,
  type PublicClient,
} from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { ConfigError } from '../config/config-error.ts'
import { readSecret } from '../config/secret-files.ts'
import type { FileConfig } from '../load-config.ts'
import { configuredCustody } from '../platform/chain/open-chain.ts'
import { commandLine } from '../platform/process/command-line.ts'
import { signerAssets } from '../platform/signer/open-signer.ts'
import { deployExitVault, EXIT_USAGE, readExitOptions } from './deploy-exit-vault.ts'
import { deployerAccount, LIMIT_IN_CAPS, openSite, type Step, showSteps, writeChain } from './deploy-site.ts'
import type { Output } from './run-operator.ts'

/** The names of the constructor's inputs, in order: `owner_` is the role `owner` and the option `--owner`. */
const ROLES = abi.flatMap((each) =>
  each.type === 'constructor' ? each.inputs.map(({ name }) => name.replace(/_$/, '')) : [],
)

const USAGE = `${commandLine('vault')} deploy --config <file> ${ROLES.map((role) => `--${role} <address>`).join(' ')} [--execute]`

type Environment = Readonly<Record<string, string | undefined>>

interface Options {
  readonly file: string
  readonly isExecuted: boolean
  readonly holders: readonly Address[]
}

/**
 * Deploys a vault, or shows the transactions. The constructor and the roles come from the contract's interface.
 *
 * @returns the exit code.
 */
export async function runVault(args: readonly string[], variables: Environment, output: Output): Promise<number> {
  try {
    const isWithExits = args.includes('deploy-with-exits')
    const withExits = isWithExits ? readExitOptions(args, variables) : undefined
    const options = isWithExits ? undefined : readOptions(args, variables)
    if (withExits) await deployExitVault(withExits, variables, output)
    else if (options) await deploy(options, variables, output)
    else output.error(isWithExits ? EXIT_USAGE : USAGE)
    return withExits || options ? 0 : 2
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof BaseError)) throw error
    // The whole message of a node's error has the node's address, which may hold a key.
    output.error(error instanceof BaseError ? error.shortMessage : error.message)
    return 1
  }
}

/** Without `--signer` it is the account of `SIGNER_KEY`. */
function readOptions(args: readonly string[], variables: Environment): Options | undefined {
  const signerKey = readSecret('SIGNER_KEY', variables)
  try {
    const options = { config: { type: 'string' }, execute: { type: 'boolean' } } as const
    const roles = Object.fromEntries(ROLES.map((role) => [role, { type: 'string' as const }]))
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...roles, ...options },
      allowPositionals: true,
    })
    const given = values as Record<string, string | boolean | undefined>
    const signer = signerKey && privateKeyToAddress(signerKey as Hex)
    const holders = ROLES.map((role) => given[role] ?? (role === 'signer' ? signer : undefined))
    const { config: file, execute = false } = values
    if (positionals.join(' ') !== 'deploy' || typeof file !== 'string') return undefined
    if (!holders.every((each): each is Address => typeof each === 'string' && isAddress(each))) return undefined
    return { file, isExecuted: execute === true, holders }
  } catch {
    return undefined
  }
}

async function deploy({ file, isExecuted, holders }: Options, variables: Environment, { log }: Output): Promise<void> {
  const { url, client, text, config } = await openSite(file, variables)
  const data = encodeDeployData({ abi, bytecode, args: holders as unknown as readonly [Address, Address, Address] })
  await refuseFailing(client, data)
  const create: Step = { what: 'create the vault', data }
  if (!isExecuted) {
    log('Dry run, nothing was sent. The transactions:')
    showSteps([create, ...limitSteps(config, undefined)], log)
    return
  }
  const account = deployerAccount(variables)
  const wallet = createWalletClient({ account, transport: http(url) })
  const sent = async ({ to, data: input }: Step) => {
    const hash = await wallet.sendTransaction({ to: to ?? null, data: input, chain: null })
    const receipt = await client.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new ConfigError(`The transaction ${hash} failed.`)
    return receipt
  }
  const { contractAddress, blockNumber } = await sent(create)
  const vault = contractAddress as Address
  await refuseOtherRoles(client, vault, holders)
  log(`The vault is at ${vault}, in block ${blockNumber}.`)
  await writeChain(file, text, { vault, vaultBlock: Number(blockNumber) })
  log(`chain.vault and chain.vaultBlock are set in ${file}.`)
  const steps = limitSteps(config, vault)
  if (account.address.toLowerCase() === holders[ROLES.indexOf('owner')]?.toLowerCase()) {
    for (const step of steps) await sent(step)
    log('Its limits are set.')
  } else {
    log('Its owner must still send these transactions, or it takes and pays nothing:')
    showSteps(steps, log)
  }
}

/** The limits of each asset of the configuration, as calls of the owner. */
function limitSteps(config: FileConfig, vault: Address | undefined): Step[] {
  const assets = signerAssets(config, configuredCustody(config))
  return assets.map(({ asset, token, perVoucher, perDay }) => ({
    what: `set the limits of ${asset}, sent by the owner to ${vault ?? 'the new vault'}`,
    ...(vault ? { to: vault } : {}),
    data: encodeFunctionData({ abi, functionName: 'setLimits', args: [token, perVoucher, perDay * LIMIT_IN_CAPS] }),
  }))
}

/** Creates the vault in a simulation: the contract itself refuses a missing holder, and one holder of two roles. */
async function refuseFailing(client: PublicClient, data: Hex): Promise<void> {
  await client.call({ data }).catch(() => {
    throw new ConfigError(
      `The vault refuses these accounts: ${ROLES.join(', ')} must be different, and none the zero address.`,
    )
  })
}

async function refuseOtherRoles(client: PublicClient, vault: Address, holders: readonly Address[]): Promise<void> {
  for (const [index, role] of ROLES.entries()) {
    const getter = abi.find((each) => each.type === 'function' && each.name === role) as AbiFunction
    const holder = await client.readContract({ address: vault, abi: [getter], functionName: role })
    if (String(holder).toLowerCase() !== holders[index]?.toLowerCase())
      throw new ConfigError(`The ${role} of the new vault is ${holder}: do not use it.`)
  }
}
