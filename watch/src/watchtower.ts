import { mkdir } from 'node:fs/promises'
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
import { judgeNode, judgeVault, type VaultFacts } from './judge-vault.ts'
import { openPoster, type Poster } from './post-root.ts'
import type { Settings } from './settings.ts'
import { openVaultChain, type VaultChain } from './vault-chain.ts'
import { keysOf, type VaultEvent } from './vault-keys.ts'

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

/** Blocks in one request for events. */
const BLOCKS = 2_000n
/** A source that fails for so long raises an alarm, in milliseconds. */
const PATIENCE_MS = 600_000

interface Parts {
  readonly settings: Settings
  readonly nowMs: () => number
  readonly chain: VaultChain
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
  const { folder, node: rpcUrl, chainId, vault, key, mostFee } = settings
  await mkdir(folder, { recursive: true })
  const chain = await openVaultChain({ rpcUrl, chainId, vault })
  const account = key && privateKeyToAccount(key)
  const poster =
    account && (await openPoster({ folder, client: chain.client, chainId, vault, account, mostFee, nowMs }))
  const parts: Parts = {
    ...{ settings, nowMs, chain, poster, pending: new Map(), failing: new Map() },
    alarms: await openAlarmBook(folder, nowMs),
    headers: await openHeaderStore(folder),
    events: await openEventStore(folder),
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
  const { alarms, headers, chain, failing } = parts
  const seen: { vault?: VaultFacts; moment?: Moment } = {}
  await attempt(parts, 'node_away', 'the node', async () => {
    const head = await chain.head()
    seen.vault = await chain.facts(head.block)
    await followEvents(parts, seen.vault)
    seen.moment = { keys: keysOf(parts.events.events), clock: seen.vault.clock, nowS: seen.vault.timeS }
  })
  const { vault, moment } = seen
  if (vault && moment) {
    for (const source of parts.sources) await followHeaders(parts, source, vault, moment)
    for (const url of parts.settings.bookkeepers)
      await attempt(parts, 'source_away', url, async () => alarms.raise(await judgeStatements(url, headers, moment)))
    await judgePending(parts, moment.nowS)
    await followData(parts)
    await attempt(parts, 'post_failed', 'posting', () => postIfDue(parts, vault))
  }
  // Without the node, what lasted before may still last.
  const away = awayFindings(parts)
  await alarms.setLasting([
    ...(vault ? lastingOf(parts, vault) : alarms.open.filter(({ key }) => !failing.has(key))),
    ...away,
  ])
  return {
    block: vault && `${vault.block}`,
    header: headers.newest && `${headers.newest.number}`,
    root: vault && `${vault.newest.number}`,
    open: alarms.open.map(({ key }) => key),
    raised: alarms.raised.alarm + alarms.raised.warning + alarms.raised.notice,
    failing: [...failing].map(([key, { message }]) => `${key}: ${message}`),
    hasNode: vault !== undefined && moment !== undefined,
  }
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

function lastingOf({ headers, events, nowMs }: Parts, vault: VaultFacts): Finding[] {
  const vaultSinceS = events.events[0]?.timeS ?? vault.timeS
  return [
    ...judgeVault(vault, { newestHeaderS: headers.fields?.cursorTime, vaultSinceS }),
    ...judgeNode(vault, Math.floor(nowMs() / 1_000)),
  ]
}

/** Reads the events that have enough blocks on top, and reports public acts. */
async function followEvents(parts: Parts, vault: VaultFacts): Promise<void> {
  const { chain, events, alarms, settings } = parts
  const to = vault.block - settings.confirmations
  for (let from = events.scannedTo === undefined ? settings.vaultBlock : events.scannedTo + 1n; from <= to; ) {
    const end = from + BLOCKS - 1n < to ? from + BLOCKS - 1n : to
    const found = await chain.events(from, end)
    const setup = setupOf([...events.events, ...found])
    // Raised first: after a crash in between they are found again, and their keys are known.
    await alarms.raise(found.flatMap((event) => judgeEvent(event, vault, setup) ?? []))
    await events.add(found, end)
    for (const event of found) notePosted(parts, event)
    from = end + 1n
  }
}

function notePosted({ pending }: Parts, { name, args }: VaultEvent): void {
  if (name !== 'RootPosted') return
  const { number = '', headerHash = '' } = args
  pending.set(`${number}:${headerHash}`, { number: BigInt(number), hash: headerHash, postedAtS: Number(args.postedAt) })
}

async function followHeaders(parts: Parts, source: HeaderSource, vault: VaultFacts, moment: Moment): Promise<void> {
  const { headers, settings, alarms, nowMs } = parts
  const first = settings.from ?? vault.newest.number
  if (source.next === -1n) source.next = headers.newest?.number ?? first
  const deps = {
    ...{ store: headers, nowMs, raise: (findings: readonly Finding[]) => alarms.raise(findings) },
    domain: { chainId: settings.chainId, vault: settings.vault },
  }
  await attempt(parts, 'source_away', source.url, async () => {
    while (await followSource(deps, source, moment)) await judgePending(parts, moment.nowS)
  })
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

async function postIfDue({ poster, headers, settings }: Parts, vault: VaultFacts): Promise<void> {
  const { signed: line } = headers
  if (!poster || !line?.signed) return
  const { cursorBlock, cursorTime: cursorTimeS } = line.signed.fields
  const header = { number: line.number, cursorBlock: BigInt(cursorBlock), cursorTimeS }
  if (decidePost(vault, header, { afterS: settings.postAfterS }) === 'post') await poster.post(line)
}
