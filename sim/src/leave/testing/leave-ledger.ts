import type { Batch, Bookkeeper } from '@clearwell/bookkeeper/src/bookkeeper.ts'
import { readBatch } from '@clearwell/bookkeeper/src/pull-batch.ts'
import { write } from '@clearwell/ledger/command'
import { Draft } from '@clearwell/ledger/draft'
import { readOneMoment } from '@clearwell/ledger/reads'
import type { Writer } from '@clearwell/ledger/writer'
import type { AssetId } from '@clearwell/money/asset'
import { exportBatch } from '@clearwell/server/src/domain/proofs/export-batch.ts'
import { makeDueHeader } from '@clearwell/server/src/domain/proofs/make-headers.ts'
import { OPERATOR, openProofLedger, SETTINGS } from '@clearwell/server/src/domain/proofs/testing/proof-ledger.ts'
import { chainCursors } from '@clearwell/server/src/platform/custody/chain-cursors.ts'
import { countEvent } from '@clearwell/server/src/platform/custody/vault-counters.ts'
import { type Hex, toHex } from 'viem'

/** Assets of the vault, in the order of its headers. */
export const ASSETS = ['BNB', 'USDT', 'ETH'] as const
export type Asset = (typeof ASSETS)[number]
export type Tokens = Readonly<Record<Asset, Hex>>

/** A payment to the vault as the chain has it. */
export interface Payment {
  readonly account: string
  readonly asset: Asset
  readonly units: bigint
  readonly tx: Hex
}

type Posting = readonly [account: string, asset: AssetId, units: bigint]

/** A ledger with the server's own writer and headers, whose payments and cursor are those of a real chain. */
export async function openLeaveLedger(of: { readonly chainId: number; readonly vault: Hex; readonly tokens: Tokens }) {
  const vault = of.vault.toLowerCase() as Hex
  // As the product names RT, which has no token.
  const tokens = { ...of.tokens, RT: toHex(0x5254, { size: 20 }) }
  const ledger = await openProofLedger({ ...SETTINGS, domain: { chainId: of.chainId, vault }, tokens })
  const { db, writer, clock } = ledger
  const head = { chainId: of.chainId, vault, operator: OPERATOR, tokens }
  const making = ledger.server()

  const post = createPosting(writer, vault)

  return {
    db,
    post,
    dataSecret: SETTINGS.dataSecret,
    /** Creates the users. */
    async addUsers(accounts: readonly string[]): Promise<void> {
      await db.query(
        `insert into users (id, invite_code, nickname, created_at) select id, id, '', $2 from unnest($1::text[]) as id`,
        [accounts, clock.at],
      )
    },
    /** Books payments to the vault, those of an account together. */
    book: (payments: readonly Payment[]) =>
      post(payments[0]?.account === OPERATOR ? 'operator_deposit' : 'deposit', [], payments),
    /** Moves the watcher's cursor to a block of the chain. */
    async moveCursor(block: { readonly number: bigint; readonly hash: Hex; readonly timestamp: bigint }) {
      clock.at = new Date(Number(block.timestamp) * 1_000)
      const row = { id: `${of.chainId}`, number: block.number, hash: block.hash, time: clock.at }
      await writer.execute({
        ...{ kind: 'test', owner: 'test', payload: {}, preload: [] },
        decide: () => ({ rows: [write(chainCursors, row)], response: null }),
      })
    },
    /** Makes a header, has the bookkeeper judge it, and signs it with both keys. */
    async makeHeader(bookkeeper: Bookkeeper): Promise<void> {
      const send = async () => bookkeeper.take(await batchAfter(bookkeeper))
      await makeDueHeader({ ...making, askBookkeeper: async () => 'none' }, { force: true })
      // A batch has at most 5,000 entries.
      for (let before = -1n; before !== bookkeeper.stored.entry; ) {
        before = bookkeeper.stored.entry
        await send()
      }
      await send()
      const waits = await bookkeeper.advance()
      if (waits !== undefined) throw new Error(`the bookkeeper waits: ${waits}`)
      const said = bookkeeper.statementOf(`${bookkeeper.last}`)
      if (!said?.signature) throw new Error(`the bookkeeper refuses: ${said?.refusal?.reason}`)
      const signature = said.signature as Hex
      await makeDueHeader({ ...making, askBookkeeper: async () => ({ signature }) }, { force: true })
      await send()
    },
    close: () => ledger.close(),
  }

  async function batchAfter({ stored: { entry, header, change, signed, line } }: Bookkeeper): Promise<Batch> {
    const after = { entry, header, change: BigInt(change), signed, line }
    return readBatch(await readOneMoment(db, (tx) => exportBatch(tx, head, after)))
  }
}

export type LeaveLedger = Awaited<ReturnType<typeof openLeaveLedger>>

/** Writes entries as the product does: one for each payment, which the vault's counters count, and one of other postings. */
function createPosting(writer: Writer, vault: Hex) {
  return async function post(kind: string, postings: readonly Posting[], payments: readonly Payment[] = []) {
    await writer.execute({
      ...{ kind: 'test', owner: 'test', payload: {}, preload: [] },
      decide(state) {
        const draft = new Draft(state)
        for (const { account, asset, units, tx } of payments) {
          const to = account === OPERATOR ? 'treasury' : `user:${account}:available`
          const moved = [
            { account: 'vault', asset, units: -units },
            { account: to, asset, units },
          ]
          draft.add({ entries: [{ kind, reference: tx, postings: moved }] })
          countEvent(draft, { vault, account, asset }, 'deposited', units)
        }
        const moved = postings.map(([account, asset, units]) => ({ account, asset, units }))
        if (moved.length > 0) draft.add({ entries: [{ kind, reference: 'order', postings: moved }] })
        return draft.plan(null)
      },
    })
  }
}
