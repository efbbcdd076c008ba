import { type Client, type EIP1193Provider, getAddress, type Hex, isAddress, parseUnits } from 'viem'
import { getTransactionReceipt } from 'viem/actions'
import type { VaultCall } from './calls.ts'
import { checkPaths, isOfVault, type PathCheck } from './check-paths.ts'
import { type Base, findBase } from './find-base.ts'
import { type EndBase, findEndBase } from './find-end-base.ts'
import { joinKitData, type KitData, NO_DATA, readKitData } from './kit-data.ts'
import { isNodeUrl, nodesFor } from './nodes.ts'
import {
  type Build,
  buildPaths,
  type Newest,
  NOTHING_PUBLISHED,
  type Published,
  readPublished,
} from './published-data.ts'
import { nodeAt, nodeOf, type Reading, readEarlier, readVault } from './read-vault.ts'
import type { Locale } from './texts.ts'
import { type Sending, type SendOutcome, sendByWallet } from './wallet.ts'

/** The node of the user's wallet, in the list of nodes. */
export const WALLET_NODE = 'wallet'
const RECEIPT_EVERY_MS = 1_000
const RECEIPT_TRIES = 60

export interface Fields {
  readonly account: string
  readonly vault: string
  readonly chainId: string
  readonly to: string
  readonly ownNode: string
}

/** All that the page shows. Each change is followed by a call of `onChange`. */
export interface KitState {
  readonly locale: Locale
  readonly fields: Fields
  readonly data: KitData
  readonly unknownFile: string | undefined
  /** A file that the user chose is still being read. It can change what a reading of the vault is about. */
  readonly isLoading: boolean
  /** The paths that decide, else the newest ones. */
  readonly check: PathCheck | undefined
  /** The chosen one of the list. */
  readonly node: string
  readonly reading: Reading | 'reading' | undefined
  readonly base: Base | undefined
  /** After the vault's end, instead of `base`. */
  readonly endBase: EndBase | undefined
  readonly published: Published
  readonly build: Build | undefined
  /** Amounts that the user typed of the newest deposits and payments, by `deposits-<asset>` and `payments-<asset>`. */
  readonly newest: ReadonlyMap<string, string>
  readonly provider: EIP1193Provider | undefined
  /** By the call's id. */
  readonly sent: ReadonlyMap<string, SendOutcome | 'waiting'>
}

type ChosenFile = Blob & { readonly name: string }

export type Kit = ReturnType<typeof createKit>

/** Holds the state of the page, and does what its buttons say. */
export function createKit(locale: Locale, onChange: () => void) {
  let state: KitState = {
    ...{
      locale,
      data: NO_DATA,
      unknownFile: undefined,
      isLoading: false,
      check: undefined,
      node: '',
      reading: undefined,
    },
    ...{ base: undefined, endBase: undefined, provider: undefined, sent: new Map() },
    ...{ published: NOTHING_PUBLISHED, build: undefined, newest: new Map() },
    fields: { account: '', vault: '', chainId: '56', to: '', ownNode: '' },
  }
  const change = (changes: Partial<KitState>) => {
    state = { ...state, ...changes }
    onChange()
  }
  /** Choices whose files are being read. */
  let loading = 0
  const store: Store = { get: () => state, change }
  const kit = {
    get state() {
      return state
    },
    showLocale: (next: Locale) => change({ locale: next }),
    setProvider: (provider: EIP1193Provider) => {
      if (!state.provider) change({ provider })
    },
    chooseNode: (node: string) => change({ node, ...UNREAD }),
    async setField(name: keyof Fields, value: string) {
      change({ fields: { ...state.fields, [name]: value } })
      if (name === 'ownNode' && isNodeUrl(value)) kit.chooseNode(value)
      if (name !== 'to' && name !== 'ownNode') await kit.checkAgain()
    },
    /** Adds what a file says. @throws nothing: a file that is none of ours is named on the page. */
    async addFile(name: string, text: string) {
      try {
        const data = joinKitData(state.data, readKitData(text))
        change({ data, unknownFile: undefined, fields: fieldsOf(data, state.fields) })
      } catch {
        change({ unknownFile: name })
      }
      await kit.checkAgain()
    },
    /** Adds files that the user chose, one after another. */
    async addAllChosen(files: readonly ChosenFile[]) {
      loading += 1
      change({ isLoading: true })
      for (const file of files) await kit.addChosen(file)
      loading -= 1
      change({ isLoading: loading > 0 })
    },
    async addChosen(file: ChosenFile) {
      const published = await readPublished(file, state.published).catch(() => undefined)
      if (!published) return kit.addFile(file.name, await file.text())
      change({ published, build: undefined, unknownFile: undefined })
    },
    setNewest: (name: string, value: string) => change({ newest: new Map(state.newest).set(name, value) }),
    build: () => buildInto(store),
    async checkAgain() {
      change({ ...UNREAD, check: await checkOf(state) })
    },
    read: () => readInto(store),
    useVault: (vault: string) => kit.setField('vault', vault).then(kit.read),
    send: (id: string, call: VaultCall) => sendFrom(store, id, call),
  }
  return kit
}

/** The state of the page, and its only change. */
interface Store {
  readonly get: () => KitState
  readonly change: (changes: Partial<KitState>) => void
}

/** Sends a call by the user's wallet, and reads the vault once it is mined. */
async function sendFrom(store: Store, id: string, call: VaultCall): Promise<void> {
  const { get, change } = store
  const sending = sendingOf(get(), call)
  if (!sending) return
  const note = (outcome: SendOutcome | 'waiting') => change({ sent: new Map(get().sent).set(id, outcome) })
  note('waiting')
  const outcome = await sendByWallet(sending)
  note(outcome)
  if (outcome.kind !== 'sent') return
  await untilMined(nodeOf(sending.provider), outcome.hash)
  if (!openNode(get())) change({ node: WALLET_NODE })
  await readInto(store)
}

/** Reads the vault, and finds the root that decides. */
async function readInto({ get, change }: Store): Promise<void> {
  const state = get()
  const [domain, node] = [domainOf(state), openNode(state)]
  if (!domain || !node) return
  change({ ...UNREAD, reading: 'reading' })
  const signed = state.check?.signed ?? state.data.headers.at(-1)
  const tokens = (signed?.header.assets ?? []).map(({ token }) => token as Hex)
  const reading = await readVault(node, { ...domain, tokens, now: Math.floor(Date.now() / 1_000) })
  const show = (changes: Partial<KitState>) => isOtherVault(get(), state) || change(changes)
  if (reading.kind === 'unknown') return void show({ reading })
  if (reading.vault.end.step === 'ended') {
    const endBase = await findEndBase(get().data, reading.vault, rest)
    const number = endBase.kind === 'found' ? endBase.paidBy.signed.number : undefined
    return void show({ reading, endBase, check: await checkOf(get(), number) })
  }
  const base = await findBase(get().data, reading.vault, {
    rest,
    // A node that stops here has shown the newest ones.
    readEarlier: (slots) => readEarlier(node, domain.vault, slots).catch(() => undefined),
  })
  const number = base.kind === 'found' ? base.paidBy.signed.number : undefined
  show({ reading, base, check: await checkOf(get(), number) })
}

/** Returns whether the user chose another account, vault, chain or node since. A reading of before is not about these. */
function isOtherVault(now: KitState, before: KitState): boolean {
  const names = ['account', 'vault', 'chainId'] as const
  return now.node !== before.node || names.some((name) => now.fields[name] !== before.fields[name])
}

/** Builds the paths of the account from the published proof data. */
async function buildInto(store: Store): Promise<void> {
  const { get, change } = store
  const state = get()
  const [domain, { endBase, reading }] = [domainOf(state), state]
  if (!domain || (endBase?.kind !== 'paths_needed' && endBase?.kind !== 'found')) return
  if (typeof reading !== 'object' || reading.kind !== 'read') return
  const onLines = async (lines: number) => {
    change({ build: { kind: 'reading', lines } })
    await rest()
  }
  await onLines(0)
  const { published, data } = state
  const of = { published, data, ...domain, balances: reading.vault.balances, newest: newestOf(state.newest) }
  const build = await buildPaths({ ...of, signed: endBase.paidBy.signed, onLines })
  if (build.kind !== 'built' || build.paths.leaves.length === 0) return change({ build })
  change({ build, data: joinKitData(get().data, { ...NO_DATA, paths: [build.paths] }) })
  await readInto(store)
}

const UNREAD = { reading: undefined, base: undefined, endBase: undefined } as const
/** All assets of the vault have 18 decimals. */
const DECIMALS = 18

/** Reads amounts with spaces between them. One that is no amount is left out. */
function newestOf(typed: ReadonlyMap<string, string>): Map<string, Newest> {
  const amountsOf = (name: string) =>
    (typed.get(name) ?? '')
      .split(/[\s;]+/)
      .filter((each) => /^\d+(\.\d+)?$/.test(each))
      .map((each) => parseUnits(each, DECIMALS))
  const assets = new Set([...typed.keys()].map((name) => name.replace(/^.*-/, '')))
  return new Map(
    [...assets].map((asset) => [
      asset,
      { deposits: amountsOf(`deposits-${asset}`), payments: amountsOf(`payments-${asset}`) },
    ]),
  )
}

/** Returns chain, vault and account once all three are known. */
export function domainOf({ fields: { account, vault, chainId } }: KitState) {
  const isKnown = isAddress(account) && isAddress(vault) && isChainId(chainId)
  return isKnown ? { account: account as Hex, vault: vault as Hex, chainId: Number(chainId) } : undefined
}

export const isChainId = (text: string) => /^[1-9]\d{0,14}$/.test(text)

/** Values of a file win over those in the fields. */
function fieldsOf({ account, vault, chainId }: KitData, fields: Fields): Fields {
  return {
    ...fields,
    account: account ? getAddress(account) : fields.account,
    vault: vault ? getAddress(vault) : fields.vault,
    chainId: chainId === undefined ? fields.chainId : String(chainId),
  }
}

/** Checks the paths in the header of this number, else the newest ones of this vault: after a move a user can have paths of two. */
async function checkOf(state: KitState, number?: string): Promise<PathCheck | undefined> {
  const domain = domainOf(state)
  const { paths, headers } = state.data
  const known = paths.flatMap((each) => {
    const signed = headers.find((header) => header.number === each.number)
    return signed ? [{ paths: each, signed }] : []
  })
  const newestFirst = known.toSorted((a, b) => (BigInt(a.signed.number) < BigInt(b.signed.number) ? 1 : -1))
  const chosen =
    known.find(({ signed }) => signed.number === number) ??
    newestFirst.find(({ signed }) => domain && isOfVault(signed, domain)) ??
    newestFirst[0]
  return domain && chosen && checkPaths(chosen.paths, chosen.signed, domain)
}

function openNode({ node, fields, provider, data }: KitState): Client | undefined {
  if (node === WALLET_NODE) return provider && nodeOf(provider)
  const url = node || nodesFor(Number(fields.chainId), data.nodes)[0]
  return url === undefined ? undefined : nodeAt(url)
}

function sendingOf(state: KitState, call: VaultCall): Sending | undefined {
  const { provider, node, fields, reading } = state
  const domain = domainOf(state)
  if (!provider || !domain) return undefined
  const canRead = typeof reading === 'object' && reading.kind === 'read'
  const nodeUrl = node === WALLET_NODE ? undefined : node || nodesFor(Number(fields.chainId), [])[0]
  return { provider, ...domain, call, node: canRead ? openNode(state) : undefined, nodeUrl }
}

/** Lets the browser draw and take a press. */
const rest = () => new Promise<void>((resolve) => setTimeout(resolve))

async function untilMined(node: Client, hash: Hex): Promise<void> {
  for (let tried = 0; tried < RECEIPT_TRIES; tried++) {
    if (await getTransactionReceipt(node, { hash }).catch(() => undefined)) return
    await new Promise((resolve) => setTimeout(resolve, RECEIPT_EVERY_MS))
  }
}
