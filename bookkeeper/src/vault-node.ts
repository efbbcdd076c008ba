import { clearwellVaultAbi } from '@clearwell/vault/abi/clearwell-vault'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import {
  createPublicClient,
  erc20Abi,
  getAbiItem,
  type Hex,
  http,
  isAddressEqual,
  type Log,
  type PublicClient,
  zeroAddress,
} from 'viem'
import type { VaultNode } from './bookkeeper.ts'
import type { LedgerHead } from './ledger-lines.ts'
import type { ExitAct } from './open-exits.ts'
import type { VaultEvent } from './payments.ts'

const LEDGER_DECIMALS = 18
const EVENTS = [
  getAbiItem({ abi: clearwellVaultAbi, name: 'Deposited' }),
  getAbiItem({ abi: clearwellVaultAbi, name: 'Withdrawn' }),
  // The other two events of the vault with exits are the same.
  getAbiItem({ abi: exitVaultAbi, name: 'Exited' }),
] as const
const POSTED = getAbiItem({ abi: exitVaultAbi, name: 'RootPosted' })
const ACTS = [
  getAbiItem({ abi: exitVaultAbi, name: 'ExitRequested' }),
  getAbiItem({ abi: exitVaultAbi, name: 'ExitCancelled' }),
  getAbiItem({ abi: exitVaultAbi, name: 'Exited' }),
  POSTED,
  getAbiItem({ abi: exitVaultAbi, name: 'RootsDropped' }),
] as const
const TRANSFER = getAbiItem({ abi: erc20Abi, name: 'Transfer' })
const KIND_OF = { Deposited: 'deposited', Withdrawn: 'withdrawn', Exited: 'exited' } as const

type ActLog = Log<bigint, number, false, undefined, true, typeof ACTS>
type Logged = VaultEvent & { readonly index: number }

/**
 * Reads the chain by the bookkeeper's own node.
 *
 * @param replaced the vaults that the ledger has left, in lower case: their payments are read too, and not their exits and roots.
 */
export function createVaultNode(
  url: string,
  { vault, tokens }: Pick<LedgerHead, 'vault' | 'tokens'>,
  replaced: readonly Hex[] = [],
): VaultNode {
  const client = createPublicClient({ transport: http(url) })
  const vaults = [vault.toLowerCase() as Hex, ...replaced]
  const assets = Object.entries(tokens).filter(([asset]) => asset !== 'RT')
  const assetOf = (token: string) => assets.find(([, each]) => isAddressEqual(each as Hex, token as Hex))?.[0]
  const scaleOf = scaleReader(client)
  const ofReplaced = (address: Hex) => replacedIn(replaced, address.toLowerCase() as Hex)

  return {
    head: () => client.getBlockNumber({ cacheTime: 0 }),
    async block(number) {
      const block = await client.getBlock({ blockNumber: number }).catch((error: Error) => {
        if (error.name === 'BlockNotFoundError') return undefined
        throw error
      })
      return block && { hash: block.hash, timeS: Number(block.timestamp) }
    },
    async posts({ from, to }) {
      const range = { fromBlock: from, toBlock: to, strict: true } as const
      const logs = await client.getLogs({ ...range, address: vault as Hex, event: POSTED })
      return logs.map(({ args: { number, headerHash: hash, postedAt }, transactionHash: tx }) => ({
        ...{ number: `${number}`, hash, postedAt, tx },
      }))
    },
    async acts({ from, to }) {
      const logs = await client.getLogs({
        ...{ fromBlock: from, toBlock: to, strict: true, events: ACTS },
        address: vault as Hex,
      })
      return logs.map(actOf)
    },
    async events({ from, to }) {
      const range = { fromBlock: from, toBlock: to, strict: true } as const
      const [ofVault, transfers] = await Promise.all([
        client.getLogs({ ...range, address: vaults, events: EVENTS }),
        client.getLogs({ ...range, address: tokensOf(assets), event: TRANSFER, args: { to: vaults } }),
      ])
      const found: (Logged & { readonly block: bigint })[] = []
      for (const { address, eventName, args, transactionHash: tx, logIndex: index, blockNumber: block } of ofVault) {
        const asset = assetOf(args.asset)
        if (asset === undefined) continue
        const units = `${args.amount * (await scaleOf(args.asset))}`
        const of = { account: args.account.toLowerCase(), asset, units, ...ofReplaced(address) }
        found.push({ kind: KIND_OF[eventName], tx, index, block, ...of })
      }
      for (const { address, args, transactionHash: tx, logIndex: index, blockNumber: block } of transfers) {
        const units = `${args.value * (await scaleOf(address))}`
        const asset = assetOf(address) as string
        const of = { account: args.from.toLowerCase(), asset, units, ...ofReplaced(args.to) }
        found.push({ kind: 'transfer', tx, index, block, ...of })
      }
      found.sort((a, b) => (a.block === b.block ? a.index - b.index : a.block < b.block ? -1 : 1))
      return (
        withoutPulls(found)
          // Between two of the vaults the money stays in custody.
          .filter(({ account, units }) => units !== '0' && !vaults.includes(account as Hex))
          .map(({ index: _, block: __, ...event }) => event)
      )
    },
  }
}

/** Reads the ledger's base units in one unit of a token. */
function scaleReader(client: Pick<PublicClient, 'readContract'>): (token: Hex) => Promise<bigint> {
  const scales = new Map<string, bigint>()
  return async (token) => {
    const known = scales.get(token)
    if (known !== undefined) return known
    const decimals =
      token === zeroAddress
        ? LEDGER_DECIMALS
        : await client.readContract({ address: token, abi: erc20Abi, functionName: 'decimals' })
    const scale = 10n ** BigInt(LEDGER_DECIMALS - decimals)
    scales.set(token, scale)
    return scale
  }
}

function replacedIn(replaced: readonly Hex[], address: Hex): Pick<VaultEvent, 'replaced'> {
  return replaced.includes(address) ? { replaced: address } : {}
}

function actOf(log: ActLog): ExitAct {
  switch (log.eventName) {
    case 'ExitRequested':
      return { kind: 'requested', account: log.args.account.toLowerCase(), at: log.args.time }
    case 'ExitCancelled':
      return { kind: 'cancelled', account: log.args.account.toLowerCase() }
    case 'Exited':
      return { kind: 'paid', account: log.args.account.toLowerCase(), block: `${log.blockNumber}` }
    case 'RootPosted': {
      const { seq, number, headerHash: hash, postedAt: at } = log.args
      return { kind: 'posted', seq, number: `${number}`, hash, at }
    }
    case 'RootsDropped':
      return { kind: 'dropped', from: log.args.from, to: log.args.to }
  }
}

/** Drops the token transfers by which the vault's own `deposit` has pulled the tokens: each is the last one before its event. */
export function withoutPulls<Event extends Logged>(events: readonly Event[]): Event[] {
  const pulls = new Set<Event>()
  for (const [at, { kind, tx, asset, replaced }] of events.entries()) {
    if (kind !== 'deposited') continue
    const pull = events.findLast(
      (each, index) =>
        index < at &&
        each.kind === 'transfer' &&
        each.tx === tx &&
        each.asset === asset &&
        each.replaced === replaced &&
        !pulls.has(each),
    )
    if (pull) pulls.add(pull)
  }
  return events.filter((event) => !pulls.has(event))
}

function tokensOf(assets: readonly (readonly [asset: string, token: string])[]): Hex[] {
  return assets.map(([, token]) => token as Hex).filter((token) => token !== zeroAddress)
}
