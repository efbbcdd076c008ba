import { mkdir } from 'node:fs/promises'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type AlarmBook, openAlarmBook } from './alarm-book.ts'
import type { Finding } from './alarm-codes.ts'
import { decidePost } from './decide-post.ts'
import { type EventStore, openEventStore } from './event-store.ts'
import { judgeStatements } from './follow-bookkeeper.ts'
import { type DataStore, openDataStore } from './follow-data.ts'
import { followSource, type HeaderSource, type Moment } from './follow-headers.ts'
import { type HeaderStore, openHeaderStore } from './header-store.ts'
import { judgeEvent, setupOf } from './judge-event.ts'
import { judgeRoot, type PostedRoot } from './judge-header.ts'
import { isShort, judgeLeftVault, judgeNode, judgeVault, type VaultFacts, withMoneyOf } from './judge-vault.ts'
import { openPoster, type Poster } from './post-root.ts'
import type { Settings, WatchedVault } from './settings.ts'
import { BLOCKS, openVaultChain, type VaultChain } from './vault-chain.ts'
import { keysOf, type VaultEvent } from './vault-keys.ts'
import { currentVault, type VaultOrder, vaultOfHeader } from './vault-order.ts'

/** The outcome of a look. */
export interface Look {
  readonly block: string | undefined
  readonly header: string | undefined
  readonly root: string | undefined
  /** Alarms that last, by key. */
  readonly open: readonly string[]
  /** Raised since the start: of all levels together. */
  readonly raised: number
  /** The parts that could not be read in this look, and why. */
  readonly failing: readonly string[]
  readonly hasNode: boolean
}

export interface Watchtower {
  readonly alarms: AlarmBook
  look(): Promise<Look>
  close(): Promise<void>
}

/** A source that fails for so long raises an alarm, in milliseconds. */
const PATIENCE_MS = 600_000

interface Parts {
  readonly settings: Settings
  readonly nowMs: () => number
  /** Of each vault, oldest first. */
  readonly chains: readonly VaultChain[]
  readonly order: VaultOrder
  readonly alarms: AlarmBook
  readonly headers: HeaderStore
  readonly events: EventStore
  readonly data: DataStore
  readonly poster: Poster | undefined
  readonly sources: HeaderSource[]
  /** Roots on the chain that no source has shown yet. */
  readonly pending: Map<string, PostedRoot>
  /** Since when each part cannot be read. */
  readonly failing: Map<string, { readonly sinceMs: number; readonly message: string }>
}

/** Opens the folder and the node. @throws Error if the node cannot be read, or serves another chain. */
export async function openWatchtower(settings: Settings, nowMs: () => number = Date.now): Promise<Watchtower> {
  const { folder, node: rpcUrl, chainId, vaults, key, mostFee } = settings
  await mkdir(folder, { recursive: true })
  const chains = await Promise.all(vaults.map(({ address: vault }) => openVaultChain({ rpcUrl, chainId, vault })))
  const { client } = chains[0] as VaultChain
  const account = key && privateKeyToAccount(key)
  const poster = account && (await openPoster({ folder, client, chainId, account, mostFee, nowMs }))
  const parts: Parts = {
    ...{ settings, nowMs, chains, poster, pending: new Map(), failing: new Map() },
    order: { chainId, vaults: vaults.map(({ address }) => address) },
    alarms: await openAlarmBook(folder, nowMs),
    headers: await openHeaderStore(folder),
    events: await openEventStore(folder, (vaults[0] as WatchedVault).address),
    data: await openDataStore(folder, nowMs),
    sources: settings.headers.map((url) => ({ url, next: -1n, tail: [] })),
  }
  for (const event of parts.events.events) notePosted(parts, event)
  return {
    alarms: parts.alarms,
    look: () => look(parts),
    async close() {
      const { alarms, headers, events, data } = parts
      await Promise.all([alarms, headers, events, data].map((each) => each.close()))
      await poster?.close()
    },
  }
}

async function look(parts: Parts): Promise<Look> {
  const { alarms, headers, failing } = parts
  const seen: { vaults?: readonly VaultFacts[]; moment?: Moment; lasting?: readonly Finding[] } = {}
  await attempt(parts, 'node_away', 'the node', async () => {
    const { block } = await firstOf(parts.chains).head()
    const vaults = await Promise.all(parts.chains.map((chain) => chain.facts(block)))
    seen.vaults = vaults
    for (const index of vaults.keys()) await followEvents(parts, vaults, index)
    seen.moment = momentOf(parts, vaults)
  })
  const { vaults, moment } = seen
  if (vaults && moment) {
    for (const source of parts.sources) await followHeaders(parts, source, vaults, moment)
    for (const url of parts.settings.bookkeepers)
      await attempt(parts, 'source_away', url, async () => alarms.raise(await judgeStatements(url, headers, moment)))
    await judgePending(parts, moment.nowS)
    await followData(parts)
    await attempt(parts, 'post_failed', 'posting', () => postIfDue(parts, vaults))
  }
  if (vaults)
    await attempt(parts, 'node_away', 'the earlier vaults', async () => {
      seen.lasting = await findLasting(parts, vaults)
    })
  // Without the node, what lasted before may still last.
  await alarms.setLasting([
    ...(seen.lasting ?? alarms.open.filter(({ key }) => !failing.has(key))),
    ...awayFindings(parts),
  ])
  const current = vaults?.[currentOf(parts, vaults)]
  return {
    block: current && `${current.block}`,
    header: headers.newest && `${headers.newest.number}`,
    root: current && `${current.newest.number}`,
    open: alarms.open.map(({ key }) => key),
    raised: alarms.raised.alarm + alarms.raised.warning + alarms.raised.notice,
    failing: [...failing].map(([key, { message }]) => `${key}: ${message}`),
    hasNode: vaults !== undefined && moment !== undefined,
  }
}

/** There is at least one vault. */
const firstOf = <Each>(of: readonly Each[]): Each => of[0] as Each

function momentOf({ events, order }: Parts, vaults: readonly VaultFacts[]): Moment {
  const keysAt = (index: number) => keysOf(events.events.filter(({ vault }) => vault === order.vaults[index]))
  return { nowS: firstOf(vaults).timeS, vaults: vaults.map(({ clock }, index) => ({ keys: keysAt(index), clock })) }
}

/** Returns the index of the vault that the ledger is at. */
function currentOf({ headers: { signed }, order }: Parts, vaults: readonly VaultFacts[]): number {
  return currentVault(vaults, signed && vaultOfHeader(signed, order))
}

/** Does one part of a look. A failure is noted, and stops no other part. */
async function attempt(
  { failing, nowMs }: Parts,
  code: 'node_away' | 'source_away' | 'post_failed',
  what: string,
  run: () => Promise<unknown>,
): Promise<void> {
  const key = `${code}:${what}`
  try {
    await run()
    failing.delete(key)
  } catch (error) {
    const { message, shortMessage = message } = error as Error & { readonly shortMessage?: string }
    failing.set(key, { sinceMs: failing.get(key)?.sinceMs ?? nowMs(), message: shortMessage.split('\n')[0] ?? '' })
  }
}

function awayFindings({ failing, nowMs, settings }: Parts): Finding[] {
  return [...failing]
    .filter(([, { sinceMs }]) => settings.isOnce || nowMs() - sinceMs >= PATIENCE_MS)
    .map(([key, { message }]) => {
      const [code = '', what] = [key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)]
      return { key, code: code as 'node_away', text: `${what}: ${message}` }
    })
}

/** Finds what lasts. A vault that the ledger is not at yet is not judged. */
async function findLasting(parts: Parts, vaults: readonly VaultFacts[]): Promise<Finding[]> {
  const { headers, order, nowMs } = parts
  const current = currentOf(parts, vaults)
  const left = vaults.slice(0, current)
  const vault = await withLeftMoney(parts, vaults[current] as VaultFacts, left)
  return [
    ...judgeVault(vault, { newestHeaderS: headers.fields?.cursorTime, vaultSinceS: sinceOf(parts, vaults, current) }),
    ...left.flatMap((each, index) => judgeLeftVault({ ...each, vault: order.vaults[index] as string })),
    ...judgeNode(vault, Math.floor(nowMs() / 1_000)),
  ]
}

/** Returns since when a root is due at a vault: since its first event, or the last root or payment of the vault before it. */
function sinceOf({ events, order }: Parts, vaults: readonly VaultFacts[], current: number): number {
  const first = events.events.find(({ vault }) => vault === order.vaults[current])
  const before = vaults[current - 1]
  return Math.max(first?.timeS ?? firstOf(vaults).timeS, before?.newest.postedAt ?? 0, before?.movedAt ?? 0)
}

/** Adds the money of the vaults that the ledger has left. Their payments to exits are read only where money seems to be missing. */
async function withLeftMoney({ chains }: Parts, vault: VaultFacts, left: readonly VaultFacts[]): Promise<VaultFacts> {
  const known = withMoneyOf(vault, left)
  if (left.length === 0 || !isShort(known)) return known
  const exited = new Map<string, bigint>()
  for (const index of left.keys()) {
    const paid = await chains[index]?.exited(vault.newest.cursorBlock + 1n, vault.block)
    for (const [token, units] of paid ?? []) exited.set(token, (exited.get(token) ?? 0n) + units)
  }
  return withMoneyOf(vault, left, exited)
}

/** Reads the events that have enough blocks on top, and reports public acts. */
async function followEvents(parts: Parts, vaults: readonly VaultFacts[], index: number): Promise<void> {
  const { chains, events, alarms, settings } = parts
  const [vault, chain] = [vaults[index] as VaultFacts, chains[index] as VaultChain]
  const { address, block } = settings.vaults[index] as WatchedVault
  const next = settings.vaults[index + 1]?.address
  const to = vault.block - settings.confirmations
  const scannedTo = events.scannedTo(address)
  for (let from = scannedTo === undefined ? block : scannedTo + 1n; from <= to; ) {
    const end = from + BLOCKS - 1n < to ? from + BLOCKS - 1n : to
    const found = await chain.events(from, end)
    const setup = setupOf([...events.events, ...found])
    // Raised first: after a crash in between they are found again, and their keys are known.
    await alarms.raise(found.flatMap((event) => judgeEvent(event, vault, { setup, next }) ?? []))
    await events.add(address, found, end)
    for (const event of found) notePosted(parts, event)
    from = end + 1n
  }
}

function notePosted({ pending }: Parts, { name, args }: VaultEvent): void {
  if (name !== 'RootPosted') return
  const { number = '', headerHash = '' } = args
  pending.set(`${number}:${headerHash}`, { number: BigInt(number), hash: headerHash, postedAtS: Number(args.postedAt) })
}

async function followHeaders(
  parts: Parts,
  source: HeaderSource,
  vaults: readonly VaultFacts[],
  moment: Moment,
): Promise<void> {
  const { headers, settings, order, alarms, nowMs } = parts
  const first = settings.from ?? newestNumber(vaults)
  if (source.next === -1n) source.next = headers.newest?.number ?? first
  const deps = {
    ...{ store: headers, order, nowMs, raise: (findings: readonly Finding[]) => alarms.raise(findings) },
  }
  await attempt(parts, 'source_away', source.url, async () => {
    while (await followSource(deps, source, moment)) await judgePending(parts, moment.nowS)
  })
}

/** The number of the newest root of all vaults. */
function newestNumber(vaults: readonly VaultFacts[]): bigint {
  const numbers = vaults.map(({ newest }) => newest.number).toSorted((a, b) => (a < b ? -1 : 1))
  return numbers.at(-1) ?? 0n
}

async function followData(parts: Parts): Promise<void> {
  const { data, headers, alarms, settings } = parts
  const { data: url } = settings
  if (url === undefined) return
  await attempt(parts, 'source_away', url, async () => {
    while (await data.follow(url, headers, (findings) => alarms.raise(findings)));
  })
}

/** Compares the roots on the chain with the stored headers. */
async function judgePending({ pending, headers, alarms }: Parts, nowS: number): Promise<void> {
  const newest = headers.newest?.number
  for (const [key, root] of pending) {
    // Before the first stored header there is nothing to compare with.
    const isBefore = headers.oldest !== undefined && root.number < headers.oldest
    const verdict = isBefore ? 'known' : judgeRoot(root, { same: headers.hashOf(root.number), newest, nowS })
    if (verdict === 'waiting') continue
    if (verdict !== 'known') await alarms.raise([verdict])
    pending.delete(key)
  }
}

async function postIfDue({ poster, headers, settings, order }: Parts, vaults: readonly VaultFacts[]): Promise<void> {
  const { signed: line } = headers
  const index = line && vaultOfHeader(line, order)
  if (!poster || !line?.signed || index === undefined) return
  const [vault, address] = [vaults[index] as VaultFacts, order.vaults[index] as Hex]
  const { cursorBlock, cursorTime: cursorTimeS } = line.signed.fields
  const header = { number: line.number, cursorBlock: BigInt(cursorBlock), cursorTimeS }
  if (decidePost(vault, header, { afterS: settings.postAfterS }) === 'post') await poster.post(line, address)
}
