import { Draft } from '@clearwell/ledger/draft'
import { readOneMoment } from '@clearwell/ledger/reads'
import type { AssetId } from '@clearwell/money/asset'
import type { Hex } from '@clearwell/proofs/bytes'
import { exportBatch } from '@clearwell/server/src/domain/proofs/export-batch.ts'
import { exportLedger } from '@clearwell/server/src/domain/proofs/export-ledger.ts'
import { makeDueHeader } from '@clearwell/server/src/domain/proofs/make-headers.ts'
import {
  OPERATOR,
  openProofLedger,
  type ProofLedger,
  SETTINGS,
  SOURCE,
  userOf,
} from '@clearwell/server/src/domain/proofs/testing/proof-ledger.ts'
import { countEvent } from '@clearwell/server/src/platform/custody/vault-counters.ts'
import type { Batch, StoredCursor, VaultNode } from '../bookkeeper.ts'
import type { LedgerHead } from '../ledger-lines.ts'
import type { ExitAct } from '../open-exits.ts'
import type { Post } from '../path-headers.ts'
import type { VaultEvent } from '../payments.ts'
import { readBatch } from '../pull-batch.ts'

export const DATA_SECRET = SETTINGS.dataSecret
export const HEAD: LedgerHead = {
  ...{ chainId: 97, vault: SETTINGS.domain.vault, operator: OPERATOR, tokens: SETTINGS.tokens, depth: 20 },
}
const EXPORT_HEAD = { chainId: 97, vault: SETTINGS.domain.vault, operator: OPERATOR, tokens: SETTINGS.tokens }
export const ALICE = userOf(0)
export const BOB = userOf(1)

type Posting = readonly [account: string, asset: AssetId, units: bigint]

/** A ledger of the server's code with entries as the product writes them, and the chain that it belongs to. */
export interface ProductLedger {
  readonly server: ProofLedger
  /** Posts an entry. */
  post(kind: string, reference: string, postings: readonly Posting[]): Promise<void>
  /** Books a payment to the vault, and has the chain contain it. */
  deposit(user: string, asset: AssetId, units: bigint): Promise<void>
  /** Locks a payment, and books that the vault has made it. */
  withdraw(user: string, asset: AssetId, units: bigint): Promise<void>
  /** Books that the vault has paid an account that leaves. */
  exit(user: string, asset: AssetId, units: bigint): Promise<void>
  /** Sells USDT to the pool, which the operator fills first. @param excess base units of BNB beyond what the pool may give */
  swap(user: string, sold: bigint, excess?: bigint): Promise<void>
  /** Makes the header that is due, and has the root key sign it unless a bookkeeper has to. */
  makeHeader(of?: Parameters<typeof makeDueHeader>[0]['askBookkeeper']): Promise<bigint | undefined>
  batch(after: StoredCursor): Promise<Batch>
  /** The lines of the whole export. */
  export(): Promise<string[]>
  readonly node: VaultNode
  /** The vault's events by block. */
  readonly events: { readonly block: bigint; event: VaultEvent }[]
  /** The acts about exits and roots by block. */
  readonly acts: { readonly block: bigint; readonly act: ExitAct }[]
  /** Adds a block with an act, and moves the cursor to it. */
  act(act: ExitAct): Promise<void>
  /** Moves the ledger to another vault, and restarts the server with it. */
  moveTo(vault: Hex): Promise<void>
  /** The posted headers by block. */
  readonly posts: { readonly block: bigint; readonly post: Post }[]
}

export async function openProductLedger(): Promise<ProductLedger> {
  const server = await openProofLedger()
  let making = server.server()
  const chain = createChain(server)
  const custody = { vault: SOURCE.vault }
  const posting = createPosting(server, chain, custody)
  return {
    server,
    ...posting,
    swap: createSwaps(posting),
    makeHeader: (askBookkeeper) => makeDueHeader({ ...making, askBookkeeper }, { force: true }),
    async batch({ entry, header, change, signed, line }) {
      const after = { entry, header, change: BigInt(change), signed, line }
      const head = { ...EXPORT_HEAD, vault: custody.vault }
      return readBatch(await readOneMoment(server.db, (tx) => exportBatch(tx, head, after)))
    },
    async export() {
      return readOneMoment(server.db, async (tx) => {
        const lines: string[] = []
        for await (const line of exportLedger(tx, EXPORT_HEAD)) lines.push(line.slice(0, -1))
        return lines
      })
    },
    events: chain.events,
    posts: chain.posts,
    acts: chain.acts,
    act: chain.act,
    node: chain.node,
    async moveTo(vault) {
      await server.moveTo(vault)
      making = server.server(vault)
      for (const each of chain.events) each.event = { ...each.event, replaced: custody.vault }
      custody.vault = vault
    },
  }
}

type Events = ProductLedger['events']
const COUNTER_OF = { deposited: 'deposited', transfer: 'deposited', withdrawn: 'paid', exited: 'exited' } as const

/** The chain: a block for each payment. Their hashes are those that the test ledger's cursor has. */
function createChain({ clock, run }: ProofLedger) {
  const events: Events = []
  const posts: ProductLedger['posts'] = []
  const acts: ProductLedger['acts'] = []
  let block = 1n
  const node: VaultNode = {
    head: async () => block,
    block: async (number) =>
      number > block
        ? undefined
        : { hash: `0x${number.toString(16).padStart(64, '0')}`, timeS: clock.at.getTime() / 1_000 },
    events: async ({ from, to }) =>
      events.filter((each) => each.block >= from && each.block <= to).map(({ event }) => event),
    acts: async ({ from, to }) => acts.filter((each) => each.block >= from && each.block <= to).map(({ act }) => act),
    posts: async ({ from, to }) =>
      posts.filter((each) => each.block >= from && each.block <= to).map(({ post }) => post),
  }
  return {
    events,
    acts,
    posts,
    node,
    async act(act: ExitAct): Promise<void> {
      await run({ what: 'cursor', user: 0, asset: 'BNB', units: 0n })
      block += 1n
      acts.push({ block, act })
    },
    /** Adds a block with the event, and moves the cursor to it. */
    async mine(event: VaultEvent): Promise<void> {
      await run({ what: 'cursor', user: 0, asset: 'BNB', units: 0n })
      block += 1n
      events.push({ block, event })
    },
  }
}

function createPosting(
  { writer }: ProofLedger,
  { mine }: ReturnType<typeof createChain>,
  custody: { readonly vault: string },
) {
  let transactions = 0

  async function post(kind: string, reference: string, postings: readonly Posting[], counted?: VaultEvent) {
    await writer.execute({
      ...{ kind: 'test', owner: 'test', payload: {}, preload: [] },
      decide(state) {
        const draft = new Draft(state)
        const moved = postings.map(([account, asset, units]) => ({ account, asset, units }))
        draft.add({ entries: [{ kind, reference, postings: moved }] })
        if (counted) {
          const { account, asset, units } = counted
          const of = { vault: custody.vault, account, asset: asset as AssetId }
          countEvent(draft, of, COUNTER_OF[counted.kind], BigInt(units))
        }
        return draft.plan(null)
      },
    })
  }

  async function book(kind: string, postings: readonly Posting[], of: Omit<VaultEvent, 'tx'>) {
    transactions += 1
    const event = { ...of, tx: `0x${transactions.toString(16).padStart(64, '0')}` }
    await post(kind, event.tx, postings, event)
    await mine(event)
  }

  return {
    post,
    async deposit(user: string, asset: AssetId, units: bigint) {
      const isOperator = user === OPERATOR
      const postings: Posting[] = [
        ['vault', asset, -units],
        [isOperator ? 'treasury' : `user:${user}:available`, asset, units],
      ]
      const event = { kind: 'deposited', account: user, asset, units: `${units}` } as const
      await book(isOperator ? 'operator_deposit' : 'deposit', postings, event)
    },
    async withdraw(user: string, asset: AssetId, units: bigint) {
      const [available, locked] = [`user:${user}:available`, `user:${user}:locked`]
      // The order is the nonce of its voucher, and on this chain that is the number of the transaction.
      const order = (transactions + 1).toString(16).padStart(32, '0')
      await post('withdrawal_lock', order, transfer(available, locked, asset, units))
      const event = { kind: 'withdrawn', account: user, asset, units: `${units}` } as const
      await book('withdrawal', transfer(locked, 'vault', asset, units), event)
    },
    async exit(user: string, asset: AssetId, units: bigint) {
      const event = { kind: 'exited', account: user, asset, units: `${units}` } as const
      await book('exit', transfer(`user:${user}:available`, 'vault', asset, units), event)
    },
  }
}

/** Units of each side of the pool at its opening. */
const FILL = 1_000_000n
const POOL = 'pool:BNB-USDT'

function createSwaps({ post, deposit }: ReturnType<typeof createPosting>): ProductLedger['swap'] {
  let reserves: { BNB: bigint; USDT: bigint } | undefined

  async function fill() {
    for (const asset of ['BNB', 'USDT'] as const) await deposit(OPERATOR, asset, FILL)
    const filled = (['BNB', 'USDT'] as const).flatMap((asset) => transfer('treasury', POOL, asset, FILL))
    await post('pool_liquidity', 'BNB-USDT', filled)
    return { BNB: FILL, USDT: FILL }
  }

  return async (user, sold, excess = 0n) => {
    reserves ??= await fill()
    const trader = `user:${user}:available`
    const fee = sold / 500n
    const bought = (reserves.BNB * (sold - fee)) / (reserves.USDT + sold - fee) + excess
    reserves = { BNB: reserves.BNB - bought, USDT: reserves.USDT + sold - fee }
    await post('swap', 'order', [
      ...transfer(trader, POOL, 'USDT', sold - fee),
      ...transfer(trader, 'rewards', 'USDT', fee),
      ...transfer(POOL, trader, 'BNB', bought),
    ])
  }
}

function transfer(from: string, to: string, asset: AssetId, units: bigint): Posting[] {
  return [
    [from, asset, -units],
    [to, asset, units],
  ]
}
