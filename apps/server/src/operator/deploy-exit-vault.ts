import { parseArgs } from 'node:util'
import { exitVaultAbi, exitVaultBytecode } from '@clearwell/vault/abi/exit-vault'
import { settlementAbi, settlementBytecode } from '@clearwell/vault/abi/settlement'
import { vaultKeysAbi } from '@clearwell/vault/abi/vault-keys'
import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createWalletClient,
  decodeErrorResult,
  encodeDeployData,
  getContractAddress,
  type Hex,
  http,
  isAddress,
  isAddressEqual,
  type PublicClient,
  zeroAddress,
} from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import * as z from 'zod/mini'
import { ConfigError } from '../config/config-error.ts'
import { readSecret } from '../config/secret-files.ts'
import type { FileConfig } from '../load-config.ts'
import { refuseUnfitTokens } from '../platform/chain/check-vault-kind.ts'
import { configuredCustody } from '../platform/chain/open-chain.ts'
import { commandLine } from '../platform/process/command-line.ts'
import { signerAssets } from '../platform/signer/open-signer.ts'
import { deployerAccount, LIMIT_IN_CAPS, openSite, type Step, showSteps, writeChain } from './deploy-site.ts'
import type { Output } from './run-operator.ts'

/** Options that name one account, and those that name up to two or three, with commas between. */
const ACCOUNTS = ['owner', 'guardian', 'payout'] as const
const KEYS = ['signers', 'root-keys', 'bookkeepers'] as const
/** The numbers of the contract's roles. */
const ROLE_OF_KEYS = { signers: 1, 'root-keys': 2, bookkeepers: 3 } as const

/** The secrets of a server whose accounts are taken where the options name none. */
const KEYS_OF_SECRETS = { signers: 'SIGNER_KEY', 'root-keys': 'PROOF_ROOT_KEY' } as const

export const EXIT_USAGE = [
  `${commandLine('vault')} deploy-with-exits --config <file>`,
  ...ACCOUNTS.map((name) => `--${name} <address>`),
  ...KEYS.map((name) => (name in KEYS_OF_SECRETS ? `[--${name} <addresses>]` : `--${name} <addresses>`)),
  '[--predecessor <address>] (--deployer <address> | --execute)',
].join(' ')

type Environment = Readonly<Record<string, string | undefined>>

/** The input of the vault's constructor: see `IExitVault.Setup`. */
type Setup = ReturnType<typeof setupOf>

const account = z.custom<Address>((value) => typeof value === 'string' && isAddress(value))
const keys = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => text.split(',')),
  ),
  z.array(account),
)
const OPTIONS = z.strictObject({
  config: z.string(),
  execute: z.optional(z.boolean()),
  /** Sends the transactions, one after the other with nothing between: the addresses follow from its nonce. */
  deployer: z.optional(account),
  predecessor: z._default(account, zeroAddress),
  owner: account,
  guardian: account,
  payout: account,
  signers: keys,
  'root-keys': keys,
  bookkeepers: keys,
})

type Options = z.infer<typeof OPTIONS>

/**
 * Reads the words of `vault deploy-with-exits`; `undefined` where they are not understood. Without `--signers` and `--root-keys` they are the
 * accounts of `SIGNER_KEY` and `PROOF_ROOT_KEY`.
 */
export function readExitOptions(args: readonly string[], variables: Environment): Options | undefined {
  const names = Object.keys(OPTIONS.def.shape)
  const types = names.map((name) => [name, { type: name === 'execute' ? ('boolean' as const) : ('string' as const) }])
  const ofServer = Object.entries(KEYS_OF_SECRETS).flatMap(([name, secret]) => {
    const key = readSecret(secret, variables)
    return key ? [[name, privateKeyToAddress(key as Hex)]] : []
  })
  try {
    const { values } = parseArgs({ args: args.slice(1), options: Object.fromEntries(types) })
    const options = OPTIONS.parse({ ...Object.fromEntries(ofServer), ...values })
    return (options.execute === true) === (options.deployer === undefined) ? options : undefined
  } catch {
    return undefined
  }
}

/**
 * Deploys a vault with exits and its settlement contract, or shows the two transactions. Each names the other in its
 * constructor: the settlement contract is created first, for the address that the vault gets by the next nonce.
 */
export async function deployExitVault(options: Options, variables: Environment, { log }: Output): Promise<void> {
  const { url, client, text, config } = await openSite(options.config, variables)
  const sender = options.execute === true ? deployerAccount(variables) : undefined
  const deployer = sender?.address ?? (options.deployer as Address)
  const nonce = await client.getTransactionCount({ address: deployer, blockTag: 'pending' })
  const [settlement, vault] = [nonce, nonce + 1].map((each) =>
    getContractAddress({ from: deployer, nonce: BigInt(each) }),
  ) as [Address, Address]
  const setup = setupOf(config, options, settlement)
  await refuseSetup(client, setup)
  const steps: readonly Step[] = [
    { what: `create the settlement contract, by ${deployer} with the nonce ${nonce}`, data: settlementDataOf(vault) },
    { what: `create the vault, by ${deployer} with the nonce ${nonce + 1}`, data: deployDataOf(setup) },
  ]
  if (!sender) {
    log('Dry run, nothing was sent. The transactions:')
    showSteps(steps, log)
    log(`Then the vault is at ${vault}, and its settlement contract at ${settlement}.`)
    return
  }
  const wallet = createWalletClient({ account: sender, transport: http(url) })
  let block = 0n
  for (const [index, { data }] of steps.entries()) {
    const hash = await wallet.sendTransaction({ to: null, data, chain: null, nonce: nonce + index })
    const receipt = await client.waitForTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new ConfigError(`The transaction ${hash} failed.`)
    block = receipt.blockNumber
  }
  await refuseOther(client, vault, setup)
  log(`The vault is at ${vault}, in block ${block}. Its settlement contract is at ${settlement}.`)
  await writeChain(options.config, text, { vault, vaultBlock: Number(block) })
  log(`chain.vault and chain.vaultBlock are set in ${options.config}. A server uses this vault with VAULT_KIND=exits.`)
}

function setupOf(config: FileConfig, options: Options, settlement: Address) {
  const { owner, guardian, payout, predecessor, signers, 'root-keys': rootKeys, bookkeepers } = options
  const custody = configuredCustody(config)
  refuseUnfitTokens({ ...custody, kind: 'exits' })
  const assets = signerAssets(config, custody)
  return {
    ...{ owner, guardian, payout, settlement, predecessor, signers, rootKeys, bookkeepers },
    assets: assets.map(({ token, perVoucher, perDay }) => ({ token, perVoucher, perDay: perDay * LIMIT_IN_CAPS })),
  }
}

function deployDataOf(setup: Setup): Hex {
  return encodeDeployData({ abi: exitVaultAbi, bytecode: exitVaultBytecode, args: [setup] })
}

function settlementDataOf(vault: Address): Hex {
  return encodeDeployData({ abi: settlementAbi, bytecode: settlementBytecode, args: [vault] })
}

/** Creates the vault in a simulation, without a settlement contract: that one does not exist yet. @throws ConfigError */
async function refuseSetup(client: PublicClient, setup: Setup): Promise<void> {
  await client.call({ data: deployDataOf({ ...setup, settlement: zeroAddress }) }).catch((error: unknown) => {
    throw new ConfigError(
      `The vault refuses these accounts: ${reasonOf(error) ?? 'no reason is known'}. All must be different, and none the zero address.`,
    )
  })
}

function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof BaseError)) throw error
  const reverted = error.walk((each) => each instanceof BaseError && 'data' in each)
  const data = reverted instanceof ContractFunctionRevertedError ? reverted.raw : (reverted as { data?: unknown })?.data
  if (typeof data !== 'string') return undefined
  try {
    const { errorName, args } = decodeErrorResult({ abi: [...exitVaultAbi, ...vaultKeysAbi], data: data as Hex })
    return `${errorName}(${(args ?? []).join(', ')})`
  } catch {
    return undefined
  }
}

/** Reads the new vault and refuses one that is not as asked for. @throws ConfigError with what differs. */
async function refuseOther(client: PublicClient, vault: Address, setup: Setup): Promise<void> {
  const ofVault = { address: vault, abi: exitVaultAbi } as const
  const ofKeys = {
    address: await client.readContract({ ...ofVault, functionName: 'keys' }),
    abi: vaultKeysAbi,
  } as const
  const settled = { address: setup.settlement, abi: settlementAbi, functionName: 'vault' } as const
  const held: readonly (readonly [string, Address, Address])[] = [
    ['owner', await client.readContract({ ...ofKeys, functionName: 'owner' }), setup.owner],
    ['guardian', await client.readContract({ ...ofKeys, functionName: 'guardian' }), setup.guardian],
    ['payout address', await client.readContract({ ...ofVault, functionName: 'payout' }), setup.payout],
    ['predecessor', await client.readContract({ ...ofVault, functionName: 'predecessor' }), setup.predecessor],
    ['settlement contract', await client.readContract({ ...ofVault, functionName: 'settlement' }), setup.settlement],
    ['vault of the settlement contract', await client.readContract(settled), vault],
  ]
  for (const [what, actual, expected] of held) {
    if (!isAddressEqual(actual, expected)) throw new ConfigError(`The ${what} is ${actual}: do not use this vault.`)
  }
  const given = { signers: setup.signers, 'root-keys': setup.rootKeys, bookkeepers: setup.bookkeepers }
  for (const name of KEYS) {
    for (const key of given[name]) {
      const [role] = await client.readContract({ ...ofKeys, functionName: 'keyOf', args: [key] })
      if (role !== ROLE_OF_KEYS[name]) throw new ConfigError(`${key} is no key of ${name}: do not use this vault.`)
    }
  }
}
