import type { Queryable } from '@clearwell/ledger/database'
import type { PostingRow } from '@clearwell/ledger/read-postings'
import { takeRankPoints } from '../../domain/ranks/rank-points.ts'
import { defineJob } from '../../platform/jobs/job.ts'
import { followLedger } from '../../platform/ledger/follow-ledger.ts'
import { addGains, type Gain, readInviters } from './rank.store.ts'
import { BOARDS, type Board } from './rank.tables.ts'

const EVERY_MS = 1_000
const POINTS_PER_STEP = 300

/** Adds swaps and activations to the boards, in the order of the ledger. */
export const rankLedger = followLedger({
  name: 'rank.follow-ledger',
  async follow(tx, postings) {
    await addGains(tx, await gainsOf(tx, postings))
  },
})

/** Adds computing power to the boards. */
export const rankPower = defineJob({
  name: 'rank.take-points',
  recurs: { everyMs: EVERY_MS },
  async step(tx) {
    const rows = await takeRankPoints(tx, POINTS_PER_STEP)
    const gains = rows.map(({ board, user_id: userId, points: units, at }) => ({
      board: asBoard(board),
      userId,
      units,
      at,
    }))
    await addGains(tx, gains)
    return rows.length < POINTS_PER_STEP ? 'done' : { next: {} }
  },
})

/** The volume of a swap is its amount of USDT; an activation is a lead of the inviter. */
async function gainsOf(tx: Queryable, postings: readonly PostingRow[]): Promise<Gain[]> {
  const userOf = ({ account }: PostingRow) => account.split(':')[1] ?? ''
  const activated = postings.filter(({ kind }) => kind === 'activation')
  const inviters = activated.length > 0 ? await readInviters(tx, activated.map(userOf)) : new Map<string, string>()
  return postings.flatMap((posting): Gain[] => {
    const { kind, asset, units, at } = posting
    if (kind === 'swap' && asset === 'USDT')
      return [{ board: 'volume', userId: userOf(posting), units: units < 0n ? -units : units, at }]
    const inviter = kind === 'activation' ? inviters.get(userOf(posting)) : undefined
    return inviter ? [{ board: 'leads', userId: inviter, units: 1n, at }] : []
  })
}

function asBoard(text: string): Board {
  const board = BOARDS.find((each) => each === text)
  if (!board) throw new Error(`points for a board that does not exist: ${text}`)
  return board
}
