import { Draft } from '@clearwell/ledger/draft'
import { readOneMoment } from '@clearwell/ledger/reads'
import type { AssetId } from '@clearwell/money/asset'
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
import type { VaultEvent } from '../payments.ts'
import { readBatch } from '../pull-batch.ts'

export const DATA_SECRET = SETTINGS.dataSecret
export const HEAD: LedgerHead = {
  ...{ chainId: 97, vault: SETTINGS.domain.vault, operator: OPERATOR, tokens: SETTINGS.tokens, depth: 20 },
}
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
  /** Sells USDT to the pool, which the operator fills first. @param excess base units of BNB beyond what the pool may give */
  swap(user: string, sold: bigint, excess?: bigint): Promise<void>
  /** Makes the header that is due, and has the root key sign it unless a bookkeeper has to. */
  makeHeader(of?: Parameters<typeof makeDueHeader>[0]['askBookkeeper']): Promise<bigint | undefined>
  batch(after: StoredCursor): Promise<Batch>
  /** The lines of the whole export. */
  export(): Promise<string[]>
  readonly node: VaultNode
  /** The vault's events by block. */
  readonly events: { readonly block: bigint; readonly event: VaultEvent }[]
}

export async function openProductLedger(): Promise<ProductLedger> {
  const server = await openProofLedger()
  const making = server.server()
  const events: ProductLedger['events'] = []
  let block = 1n
  let transactions = 0

  async function post(kind: string, reference: string, postings: readonly Posting[], counted?: VaultEvent) {
    await server.writer.execute({
      ...{ kind: 'test', owner: 'test', payload: {}, preload: [] },
      decide(state) {
        const draft = new Draft(state)
        const moved = postings.map(([account, asset, units]) => ({ account, asset, units }))
        draft.add({ entries: [{ kind, reference, postings: moved }] })
        if (counted) {
          const { account, asset, units } = counted
          const of = { vault: SOURCE.vault, account, asset: asset as AssetId }
          countEvent(draft, of, counted.kind === 'deposited' ? 'deposited' : 'paid', BigInt(units))
        }
        return draft.plan(null)
      },
    })
  }

  /** Books an event, and moves the cursor to its block. */
  async function book(kind: string, postings: readonly Posting[], of: Omit<VaultEvent, 'tx'>) {
    transactions += 1
    const event = { ...of, tx: `0x${transactions.toString(16).padStart(64, '0')}` }
    await post(kind, event.tx, postings, event)
    await server.run({ what: 'cursor', user: 0, asset: 'BNB', units: 0n })
    block += 1n
    events.push({ block, event })
  }

  async function deposit(user: string, asset: AssetId, units: bigint) {
    const [kind, account] = user === OPERATOR ? ['operator_deposit', 'treasury'] : ['deposit', `user:${user}:available`]
    const postings = [
      ['vault', asset, -units],
      [account, asset, units],
    ] as const
    await book(kind, postings, { kind: 'deposited', account: user, asset, units: `${units}` })
  }

  let isFilled = false
  let reserves = { BNB: 1_000_000n, USDT: 1_000_000n }
  return {
    server,
    events,
    post,
    deposit,
    async withdraw(user, asset, units) {
      const [available, locked] = [`user:${user}:available`, `user:${user}:locked`]
      await post('withdrawal_lock', 'order', [
        [available, asset, -units],
        [locked, asset, units],
      ])
      const paid = [
        [locked, asset, -units],
        ['vault', asset, units],
      ] as const
      await book('withdrawal', paid, { kind: 'withdrawn', account: user, asset, units: `${units}` })
    },
    async swap(user, sold, excess = 0n) {
      const [trader, pool] = [`user:${user}:available`, 'pool:BNB-USDT']
      if (!isFilled) {
        for (const asset of ['BNB', 'USDT'] as const) await deposit(OPERATOR, asset, 1_000_000n)
        const filled = (['BNB', 'USDT'] as const).flatMap((asset): Posting[] => [
          ['treasury', asset, -1_000_000n],
          [pool, asset, 1_000_000n],
        ])
        await post('pool_liquidity', 'BNB-USDT', filled)
        isFilled = true
      }
      const fee = sold / 500n
      const bought = (reserves.BNB * (sold - fee)) / (reserves.USDT + sold - fee) + excess
      reserves = { BNB: reserves.BNB - bought, USDT: reserves.USDT + sold - fee }
      await post('swap', 'order', [
        [trader, 'USDT', -sold],
        [pool, 'USDT', sold - fee],
        ['rewards', 'USDT', fee],
        [pool, 'BNB', -bought],
        [trader, 'BNB', bought],
      ])
    },
    makeHeader: (askBookkeeper) => makeDueHeader({ ...making, askBookkeeper }, { force: true }),
    async export() {
      const { depth: _depth, ...head } = HEAD
      return readOneMoment(server.db, async (tx) => {
        const lines: string[] = []
        for await (const line of exportLedger(tx, { ...head, tokens: SETTINGS.tokens })) lines.push(line.slice(0, -1))
        return lines
      })
    },
    async batch({ entry, header, change }) {
      const after = { entry, header, change: BigInt(change) }
      const { depth: _depth, ...head } = HEAD
      const tokens = SETTINGS.tokens
      return readBatch(await readOneMoment(server.db, (tx) => exportBatch(tx, { ...head, tokens }, after)))
    },
    node: {
      head: async () => block,
      block: async (number) =>
        number > block
          ? undefined
          : { hash: `0x${number.toString(16).padStart(64, '0')}`, timeS: server.clock.at.getTime() / 1_000 },
      events: async ({ from, to }) =>
        events.filter((each) => each.block >= from && each.block <= to).map(({ event }) => event),
    },
  }
}
