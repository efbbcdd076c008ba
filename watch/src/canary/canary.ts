import { checkPaths, type ProvenLeaf } from '@clearwell/exit-kit/src/check-paths.ts'
import { describeExit } from '@clearwell/exit-kit/src/exit-state.ts'
import { type Base, findBase } from '@clearwell/exit-kit/src/find-base.ts'
import { joinKitData, type KitData, NO_DATA, readKitData, type SignedHeader } from '@clearwell/exit-kit/src/kit-data.ts'
import type { Client, Hex, LocalAccount } from 'viem'
import { askBookkeeper, WrongPath } from './ask-bookkeeper.ts'
import type { CanarySettings } from './canary-settings.ts'
import type { CanaryState, CanaryStore, Pending } from './canary-store.ts'
import { type ChainRead, findNode, readRoots, readUnits, withSlots } from './chain-view.ts'
import { decideAsk, decideStep, type RootEvent, type Step } from './decide-step.ts'
import { addLine, hasTransaction, isNoted } from './record.ts'
import { callOf, faultOf, lookUp, Refused, type Sender, type Sending, send, signCall } from './transactions.ts'

/** Paths that stay: the newest ones, beside those of the base and of the last exit. */
const MOST_PATHS = 5
const MOST_ROOTS = 5_000
/** Without a root, the scanned block is written after so many more. */
const NOTED_EVERY = 1_000n

export interface CanaryLook {
  readonly step: Step['kind'] | 'settling'
  /** The reason of a fault. */
  readonly why?: string | undefined
}

export interface CanaryParts {
  readonly settings: CanarySettings
  readonly account: LocalAccount
  readonly store: CanaryStore
}

/** Does what is due, and at most one transaction. Stopped anywhere, the next look continues. @throws Error if no node can be read */
export async function lookOnce(given: CanaryParts): Promise<CanaryLook> {
  const { settings, account, store } = given
  const of = { ...settings, account: account.address.toLowerCase() as Hex }
  const { node, read } = await findNode(settings.nodes, of)
  const { end, now } = read.vault
  const { pending } = store.state
  const vault = pending ? (pending.vault ?? settings.vaults[0]) : read.at
  const parts: PartsAt = { ...given, settings: { ...settings, vault } }
  const sender: Sender = { ...settings, vault, node, account }
  if (pending) return settle(parts, sender, { pending, now })
  await turnTo(store, parts.settings)
  await followRoots(parts, node, read)
  const faults = await askIfDue(parts, node, read)
  const { base, leaves } = await decideBase(parts, node, read)
  // From the beginning of the end on, the vault takes no request.
  const ended = end.step === 'ending' || end.step === 'ended'
  const moved = end.step === 'moved' ? read.vault.move : undefined
  const step = decideStep({ ...read.vault, ended, moved, assets: read.assets, base, leaves })
  if (step.kind === 'fault') return note(parts, now, `${step.code}: ${step.detail}`)
  if (step.kind === 'wait') return faults ? note(parts, now, faults) : { step: 'wait' }
  return act(parts, sender, { step, base, read })
}

/** The parts of a look, with the vault that it acts at. */
interface PartsAt extends CanaryParts {
  readonly settings: CanarySettings & { readonly vault: Hex }
}

/** Roots are counted by each vault, and paths belong to one: those of a vault that was left are dropped. */
async function turnTo({ state, save }: CanaryStore, { vault, vaults }: PartsAt['settings']): Promise<void> {
  if (vault === state.vault) return
  const isSame = state.vault === undefined && vault === vaults[0]
  await save(isSame ? { ...state, vault } : { vault, roots: [], paths: [] })
}

/** Adds a fault to the record, once a day while it lasts. */
async function note({ store, account }: PartsAt, now: number, why: string): Promise<CanaryLook> {
  if (!isNoted(store, why, now)) await addLine(store, account, { what: 'fault', at: timeText(now), why })
  return { step: 'fault', why }
}

const timeText = (seconds: number) => new Date(seconds * 1_000).toISOString()

async function act(
  parts: PartsAt,
  sender: Sender,
  { step, base, read }: { readonly step: Sending; readonly base: Base; readonly read: ChainRead },
): Promise<CanaryLook> {
  const { store, account } = parts
  const { now } = read.vault
  const found = base.kind === 'found' ? base : undefined
  const call = callOf(step, { vault: sender.vault, account: account.address, base: found })
  try {
    const token = 'token' in step ? step.token : undefined
    const before = token && (await readUnits(sender.node, { token, account: account.address }))
    const signed = await signCall(sender, call)
    const pending: Pending = {
      ...{ vault: sender.vault, kind: step.kind, ...call, ...signed, value: `${call.value}`, sent_at: now },
      ...('amount' in step ? { token: step.token, amount: `${step.amount}`, before: `${before}` } : {}),
      ...(found && ['request', 'finish'].includes(step.kind) ? { header: found.paidBy.signed.number } : {}),
    }
    await store.save({ ...store.state, pending })
    await send(sender.node, pending)
    return { step: step.kind }
  } catch (error) {
    if (error instanceof Refused) return note(parts, now, `${step.kind}: ${error.message}`)
    throw error
  }
}

/** Brings the last transaction to its end: it is sent again, replaced, or written into the record. */
async function settle(
  parts: PartsAt,
  sender: Sender,
  { pending, now }: { readonly pending: Pending; readonly now: number },
): Promise<CanaryLook> {
  const { store, account, settings } = parts
  const found = await lookUp(sender, pending, { confirmations: settings.confirmations, now })
  if (found.kind === 'waiting') {
    const next = found.isStuck ? await replace(parts, sender, { pending, now }) : pending
    await send(sender.node, next)
    return { step: 'settling' }
  }
  const { kind, token, amount, header } = pending
  const hash = found.kind === 'mined' ? found.receipt.transactionHash : pending.hashes.at(-1)
  const result =
    found.kind === 'mined'
      ? await faultOf(sender, pending, found.receipt)
      : { why: 'another transaction has its nonce' }
  if (hash && !hasTransaction(store, hash))
    await addLine(store, account, {
      ...{ what: kind, at: timeText(found.kind === 'mined' ? found.at : now), tx: hash, token, amount, header },
      ...('received' in result && result.received !== undefined ? { received: `${result.received}` } : {}),
      ...{ outcome: result.why === undefined ? 'done' : 'failed', why: result.why },
    })
  await store.save({ ...store.state, pending: undefined })
  return result.why === undefined ? { step: 'settling' } : { step: 'fault', why: result.why }
}

async function replace(
  { store }: PartsAt,
  sender: Sender,
  { pending, now }: { readonly pending: Pending; readonly now: number },
): Promise<Pending> {
  const signed = await signCall(sender, { ...pending, value: BigInt(pending.value) }, pending)
  const next = { ...pending, ...signed, sent_at: now }
  await store.save({ ...store.state, pending: next })
  return next
}

async function followRoots({ store, settings }: PartsAt, node: Client, { vault: read }: ChainRead): Promise<void> {
  const { state } = store
  const from = state.scanned_to === undefined ? undefined : BigInt(state.scanned_to) + 1n
  const { roots, scannedTo } = await readRoots(node, { vault: settings.vault, from, read })
  if (roots.length === 0 && from !== undefined && scannedTo - from < NOTED_EVERY) return
  // A reorganisation can give a place to another root.
  const places = new Map([...state.roots, ...roots].map((root) => [root.seq, root]))
  const all = [...places.values()].toSorted((a, b) => a.seq - b.seq)
  await store.save({ ...state, roots: all.slice(-MOST_ROOTS), scanned_to: `${scannedTo}` })
}

/** Takes a path if one is due. @returns why there is none */
async function askIfDue({ store, account, settings }: PartsAt, node: Client, { vault }: ChainRead) {
  const { roots, paths, asked } = store.state
  const base = (await decideBase({ store, account, settings }, node, { at: settings.vault, vault, assets: [] })).base
  const neededSeq = base.kind === 'earlier_needed' ? base.seq : undefined
  const known = new Set(paths.map(({ number }) => number))
  const wanted = decideAsk({ ...vault, roots, neededSeq, known, asked })
  if (!wanted) return undefined
  const faults: string[] = []
  for (const url of settings.bookkeepers) {
    try {
      const path = await askBookkeeper(url, { ...settings, account, number: wanted.number })
      const others = paths.filter(({ number }) => number !== path.number)
      const kept = thin([...others, path], store.state, vault.account)
      await store.save({ ...store.state, paths: kept, asked: { at: vault.now, isDone: true } })
      return undefined
    } catch (error) {
      const { message } = error as Error
      faults.push(error instanceof WrongPath ? `wrong path: ${message}` : message)
    }
  }
  await store.save({ ...store.state, asked: { at: vault.now, isDone: false } })
  return faults.join('; ')
}

/** Of the paths, those of the newest headers stay, of the base and of the account's last exit. */
function thin(
  paths: CanaryState['paths'],
  { roots }: Pick<CanaryState, 'roots'>,
  account: { readonly exitAt: number; readonly lastBase: number },
): CanaryState['paths'] {
  const until = account.exitAt === 0 ? 0 : baseAtOf(account.exitAt)
  const protectedNumbers = new Set([
    roots.findLast(({ postedAt }) => postedAt <= until)?.number,
    roots.find(({ seq }) => seq === account.lastBase)?.number,
  ])
  return paths.filter(({ number }, i) => i >= paths.length - MOST_PATHS || protectedNumbers.has(number))
}

function baseAtOf(exitAt: number): number {
  const exit = describeExit({ exitAt }, exitAt)
  return exit.step === 'none' ? 0 : exit.baseAt
}

/** Finds the base by the kit's rules, with the account's checked leaves in it. */
async function decideBase(
  { store, settings, account }: PartsAt,
  node: Client,
  { vault }: ChainRead,
): Promise<{ base: Base; leaves: readonly ProvenLeaf[] }> {
  const { roots, paths } = store.state
  const data = kitDataOf({ roots, paths })
  const until = vault.account.exitAt === 0 ? vault.now : baseAtOf(vault.account.exitAt)
  const last = roots.findLast(({ postedAt }) => postedAt <= until)?.seq
  const slots = await withSlots(node, settings.vault, vault, [last, last && last + 1, vault.account.lastBase])
  const base = await findBase(data, { ...vault, slots })
  if (base.kind !== 'found') return { base, leaves: [] }
  const { signed } = base.paidBy
  const mine = data.paths.find(({ number }) => number === signed.number)
  const domain = { ...settings, account: account.address.toLowerCase() as Hex }
  return { base, leaves: mine ? (await checkPaths(mine, signed, domain)).leaves : [] }
}

/** The stored responses with the times of their roots, and the other roots as headers of which only the place is known. */
function kitDataOf({ roots, paths }: Pick<CanaryState, 'roots' | 'paths'>): KitData {
  const data = paths.map(({ text }) => readKitData(text)).reduce(joinKitData, NO_DATA)
  const byHash = new Map(roots.map((root) => [root.hash.toLowerCase(), root]))
  const own = data.headers.map((signed) => ({ ...signed, postedAt: byHash.get(signed.hash)?.postedAt }))
  const known = new Set(own.map(({ hash }) => hash))
  const others = roots.filter(({ hash }) => !known.has(hash)).map(placeOf)
  return { ...data, headers: [...own, ...others].toSorted((a, b) => (BigInt(a.number) < BigInt(b.number) ? -1 : 1)) }
}

function placeOf({ number, hash, postedAt }: RootEvent): SignedHeader {
  const none = { depth: 0, rtRoot: '', assets: [] }
  const header = { number, cursorTime: postedAt, cursorBlock: '0', ...none }
  return { number, hash, header, signatures: { root: '', bookkeeper: null }, postedAt }
}
