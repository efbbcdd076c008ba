import { type Client, type EIP1193Provider, getAddress, type Hex, isAddress } from 'viem'
import { getTransactionReceipt } from 'viem/actions'
import type { VaultCall } from './calls.ts'
import { checkPaths, type PathCheck } from './check-paths.ts'
import { type Base, findBase } from './find-base.ts'
import { joinKitData, type KitData, NO_DATA, readKitData } from './kit-data.ts'
import { isNodeUrl, nodesFor } from './nodes.ts'
import { nodeAt, nodeOf, type Reading, readVault } from './read-vault.ts'
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
  /** The paths that decide, else the newest ones. */
  readonly check: PathCheck | undefined
  /** The chosen one of the list. */
  readonly node: string
  readonly reading: Reading | 'reading' | undefined
  readonly base: Base | undefined
  readonly provider: EIP1193Provider | undefined
  /** By the call's id. */
  readonly sent: ReadonlyMap<string, SendOutcome | 'waiting'>
}

export type Kit = ReturnType<typeof createKit>

/** Holds the state of the page, and does what its buttons say. */
export function createKit(locale: Locale, onChange: () => void) {
  let state: KitState = {
    ...{ locale, data: NO_DATA, unknownFile: undefined, check: undefined, node: '', reading: undefined },
    ...{ base: undefined, provider: undefined, sent: new Map() },
    fields: { account: '', vault: '', chainId: '56', to: '', ownNode: '' },
  }
  const change = (changes: Partial<KitState>) => {
    state = { ...state, ...changes }
    onChange()
  }
  const kit = {
    get state() {
      return state
    },
    showLocale: (next: Locale) => change({ locale: next }),
    setProvider: (provider: EIP1193Provider) => {
      if (!state.provider) change({ provider })
    },
    chooseNode: (node: string) => change({ node, reading: undefined, base: undefined }),
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
    async checkAgain() {
      change({ base: undefined, reading: undefined, check: await checkOf(state) })
    },
    async read() {
      const [domain, node] = [domainOf(state), openNode(state)]
      if (!domain || !node) return
      change({ reading: 'reading', base: undefined })
      const tokens = (state.check?.signed.header.assets ?? []).map(({ token }) => token as Hex)
      const reading = await readVault(node, { ...domain, tokens, now: Math.floor(Date.now() / 1_000) })
      if (reading.kind === 'unknown') return change({ reading })
      const base = await findBase(state.data, reading.vault, rest)
      const number = base.kind === 'found' ? base.paidBy.signed.number : undefined
      change({ reading, base, check: await checkOf(state, number) })
    },
    async send(id: string, call: VaultCall) {
      const sending = sendingOf(state, call)
      if (!sending) return
      const note = (outcome: SendOutcome | 'waiting') => change({ sent: new Map(state.sent).set(id, outcome) })
      note('waiting')
      const outcome = await sendByWallet(sending)
      note(outcome)
      if (outcome.kind !== 'sent') return
      await untilMined(nodeOf(sending.provider), outcome.hash)
      if (!openNode(state)) change({ node: WALLET_NODE })
      await kit.read()
    },
  }
  return kit
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

/** Checks the paths in the header of this number, else the newest ones. */
async function checkOf(state: KitState, number?: string): Promise<PathCheck | undefined> {
  const domain = domainOf(state)
  const { paths, headers } = state.data
  const known = paths.flatMap((each) => {
    const signed = headers.find((header) => header.number === each.number)
    return signed ? [{ paths: each, signed }] : []
  })
  const chosen =
    known.find(({ signed }) => signed.number === number) ??
    known.toSorted((a, b) => (BigInt(a.signed.number) < BigInt(b.signed.number) ? 1 : -1))[0]
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
