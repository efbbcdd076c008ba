import { claimsAbi } from '@clearwell/vault/abi/claims'
import { exitVaultAbi } from '@clearwell/vault/abi/exit-vault'
import { vaultKeysAbi } from '@clearwell/vault/abi/vault-keys'
import { type Client, createClient, custom, type EIP1193Provider, erc20Abi, type Hex, http, zeroAddress } from 'viem'
import { getBalance, getBlock, getChainId, readContract } from 'viem/actions'
import { describeEnd, type EndMoney, type EndState, owedNow } from './end-state.ts'
import type { AccountSlot, BalanceSlot } from './exit-state.ts'
import type { ChainView } from './find-base.ts'
import { isEmpty } from './no-response.ts'
import type { RootSlots } from './posted-roots.ts'
import { type MoveReading, readMove } from './read-move.ts'

/** Requests of one kind go together, as nodes take them. */
const BATCH = 50
const TIMEOUT_MS = 10_000
/** Roots that are read together, the newest ones first, and how many at most. Each withdrawal of a user may post one. */
const PAGE = 1_000
const MOST_ROOTS = 10_000
/** A node that is so far behind this device's clock may not know the newest roots, in seconds. */
const LATE_S = 1_800

export interface VaultReading extends ChainView {
  /** By token, in lower case. */
  readonly balances: ReadonlyMap<string, BalanceSlot & { readonly firstDeposit: number }>
  readonly end: EndState
  readonly move: MoveReading
  /** Before the end: assets of which the vault holds less than it owes. */
  readonly short: readonly ShortAsset[]
  /** After the end only. */
  readonly claims: ClaimsReading | undefined
  /** The newest block is old by this device's clock. */
  readonly isLate: boolean
}

/** Units are base units. A token that shows no balance counts as none, as in the vault. */
export interface ShortAsset {
  readonly token: Hex
  readonly held: bigint
  readonly owed: bigint
  /** When it was noted, in seconds; 0: nothing is noted yet. */
  readonly since: number
}

/** The contract that pays claims, and the vault's money, by token in lower case. */
export interface ClaimsReading {
  readonly address: Hex
  readonly money: ReadonlyMap<string, EndMoney>
}

/**
 * A node that gives nothing, zeros or another chain says nothing about the vault: the outcome is unknown, never wrong.
 * `silent`: no response, or one that the browser may not read, as from a node that rejects this page's origin.
 */
export type Unknown = 'silent' | 'zero' | 'wrong_chain'
export type Reading =
  | { readonly kind: 'read'; readonly vault: VaultReading }
  | { readonly kind: 'unknown'; readonly why: Unknown }

export interface ReadOf {
  readonly chainId: number
  readonly vault: Hex
  readonly account: Hex
  readonly tokens: readonly Hex[]
  /** The device's clock, in seconds. */
  readonly now: number
}

export function nodeAt(url: string): Client {
  return createClient({ transport: http(url, { batch: { batchSize: BATCH }, timeout: TIMEOUT_MS, retryCount: 1 }) })
}

export function nodeOf(provider: EIP1193Provider): Client {
  return createClient({ transport: custom(provider, { retryCount: 0 }) })
}

/** Reads the vault from the chain's current storage. */
export async function readVault(node: Client, of: ReadOf): Promise<Reading> {
  try {
    return await readAll(node, of)
  } catch (error) {
    return { kind: 'unknown', why: isEmpty(error) ? 'zero' : 'silent' }
  }
}

async function readAll(node: Client, { chainId, vault, account, tokens, now }: ReadOf): Promise<Reading> {
  const found = await getChainId(node)
  if (found !== chainId) return { kind: 'unknown', why: found > 0 ? 'wrong_chain' : 'zero' }
  const contract = { address: vault, abi: exitVaultAbi } as const
  const [block, keys, newest, slot, closing] = await Promise.all([
    getBlock(node),
    readContract(node, { ...contract, functionName: 'keys' }),
    readContract(node, { ...contract, functionName: 'newestRoot' }),
    readContract(node, { ...contract, functionName: 'accountOf', args: [account] }),
    readContract(node, { ...contract, functionName: 'closing' }),
  ])
  const [balances, short] = await Promise.all([
    Promise.all(
      tokens.map((token) => readContract(node, { ...contract, functionName: 'balanceOf', args: [account, token] })),
    ),
    readShort(node, vault, tokens),
  ])
  // The vault always has keys, and the chain a time.
  if (keys === zeroAddress || block.timestamp === 0n || newest.seq === 0) return { kind: 'unknown', why: 'zero' }
  const [pausedAt, move] = await Promise.all([
    readContract(node, { address: keys, abi: vaultKeysAbi, functionName: 'pausedAt' }),
    readMove(node, { vault, keys, account, movedAt: closing.movedAt }),
  ])
  const at = await readSlots(node, vault, seqsToRead(newest.seq, slot))
  const time = Number(block.timestamp)
  const names = tokens.map((token) => token.toLowerCase())
  // A note of an asset that was refilled is no reason to end.
  const shortSince = new Map(names.map((name) => [name, short.find(({ token }) => token === name)?.since ?? 0]))
  const end = describeEnd(closing, newest.postedAt, shortSince)
  const ended = end.step === 'ended' ? await readClaims(node, { vault, account, tokens }) : undefined
  return {
    kind: 'read',
    vault: {
      slots: { newest, at },
      account: slot,
      pausedAt: Number(pausedAt),
      now: time,
      balances: new Map(names.map((name, i) => [name, withSettled(balances[i] as Counters, ended?.settled[i] ?? 0n)])),
      end,
      move,
      short: end.step === 'open' ? short : [],
      claims: ended && {
        address: ended.address,
        money: new Map(names.map((name, i) => [name, ended.money[i] as EndMoney])),
      },
      isLate: time < now - LATE_S,
    },
  }
}

/** Finds the assets that are short. The vault looks only when a root comes or someone asks it to. */
async function readShort(node: Client, vault: Hex, tokens: readonly Hex[]): Promise<ShortAsset[]> {
  const contract = { address: vault, abi: exitVaultAbi } as const
  const read = await Promise.all(
    tokens.map(async (token) => {
      const [held, figures, totals] = await Promise.all([
        holdingOf(node, token, vault),
        readContract(node, { ...contract, functionName: 'figuresOf', args: [token] }),
        readContract(node, { ...contract, functionName: 'totalsOf', args: [token] }),
      ])
      const owed = owedNow(figures, totals)
      return { token: token.toLowerCase() as Hex, held, owed, since: figures.shortSince }
    }),
  )
  return read.filter(({ held, owed }) => held < owed)
}

type Counters = BalanceSlot & { readonly firstDeposit: number }

/** Claims go on where the vault's counter ends. */
function withSettled({ deposited, paid, firstDeposit }: Counters, settled: bigint): Counters {
  return { deposited, paid: paid + settled, firstDeposit }
}

async function readClaims(node: Client, { vault, account, tokens }: Pick<ReadOf, 'vault' | 'account' | 'tokens'>) {
  const address = await readContract(node, { address: vault, abi: exitVaultAbi, functionName: 'claims' })
  const contract = { address, abi: claimsAbi } as const
  const each = <Value>(read: (token: Hex) => Promise<Value>) => Promise.all(tokens.map(read))
  const [settled, money] = await Promise.all([
    each((token) => readContract(node, { ...contract, functionName: 'settledOf', args: [account, token] })),
    each(async (token): Promise<EndMoney> => {
      const [held, owed, , isFixed] = await readContract(node, {
        ...{ ...contract, functionName: 'fractionOf', args: [token] },
      } as const)
      if (isFixed) return { held, owed, isFixed }
      const [ofVault, ofClaims, owedNow] = await Promise.all([
        holdingOf(node, token, vault),
        holdingOf(node, token, address),
        readContract(node, { ...contract, functionName: 'owedAtEnd', args: [token] }),
      ])
      return { held: ofVault + ofClaims, owed: owedNow, isFixed }
    }),
  ])
  return { address, settled, money }
}

/** A token that shows no balance has its claims wait, and no other. */
async function holdingOf(node: Client, token: Hex, of: Hex): Promise<bigint> {
  if (token === zeroAddress) return getBalance(node, { address: of })
  return readContract(node, { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [of] }).catch(() => 0n)
}

function seqsToRead(newest: number, { lastBase }: AccountSlot): number[] {
  const first = Math.max(1, newest - PAGE + 1)
  const seqs = Array.from({ length: newest - first + 1 }, (_, i) => first + i)
  return lastBase > 0 && lastBase < first ? [lastBase, ...seqs] : seqs
}

async function readSlots(node: Client, vault: Hex, seqs: readonly number[]): Promise<Map<number, Hex>> {
  const contract = { address: vault, abi: exitVaultAbi } as const
  const roots = await Promise.all(
    seqs.map((seq) => readContract(node, { ...contract, functionName: 'rootAt', args: [BigInt(seq)] })),
  )
  return new Map(seqs.map((seq, i) => [seq, roots[i] as Hex]))
}

/**
 * Reads the page of roots before those that were read, and adds it to them.
 *
 * @returns `undefined` if there are none, or enough were read.
 */
export async function readEarlier(node: Client, vault: Hex, slots: RootSlots): Promise<RootSlots | undefined> {
  const { newest, at } = slots
  let first = newest.seq
  while (at.has(first - 1)) first -= 1
  const from = Math.max(1, first - PAGE, newest.seq - MOST_ROOTS + 1)
  if (from >= first) return undefined
  const seqs = Array.from({ length: first - from }, (_, i) => from + i)
  return { newest, at: new Map([...at, ...(await readSlots(node, vault, seqs))]) }
}
