import type { rankRoutes } from '@clearwell/api/rank.routes'
import type { ResponseOf } from '@clearwell/api/routes'
import { ASSET_DECIMALS } from '@clearwell/money/asset'
import { formatUnits } from '@clearwell/money/decimal'
import { rankBucketAt } from '@clearwell/rules/rank-period'
import { DEFAULT_PAGE } from '../../platform/http/paging.ts'
import type { HandlersOf } from '../../platform/http/request-context.ts'
import { shortAddress } from '../../platform/ledger/address.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { COUNTED_PLACES, type RankStore } from './rank.store.ts'
import type { Board } from './rank.tables.ts'

/** Decimals of each board's value. */
const DECIMALS: Readonly<Record<Board, number>> = { power: ASSET_DECIMALS.USDT, volume: ASSET_DECIMALS.USDT, leads: 0 }

export function rankHandlers({
  store,
  clock,
}: {
  readonly store: RankStore
  readonly clock: Clock
}): HandlersOf<typeof rankRoutes> {
  async function own(board: Board, bucket: string, userId: string): Promise<ResponseOf<'rankList'>['me']> {
    const [row, hidden] = await Promise.all([store.own(board, bucket, userId), store.isHidden(userId)])
    const isPlaced = row !== undefined && !hidden && row.ahead < COUNTED_PLACES
    return {
      rank: isPlaced ? row.ahead + 1 : null,
      value: formatUnits(row?.score ?? 0n, DECIMALS[board]),
      hidden,
    }
  }

  return {
    async rankList({ board, period, limit = DEFAULT_PAGE }, { user }) {
      const { name, endsAt } = rankBucketAt(period, clock.now())
      const [rows, me] = await Promise.all([
        store.first(board, name, limit),
        user ? own(board, name, user.id) : undefined,
      ])
      return {
        items: rows.map(({ user_id, score }, index) => ({
          rank: index + 1,
          address: shortAddress(user_id),
          value: formatUnits(score, DECIMALS[board]),
          is_me: user_id === user?.id,
        })),
        ...(me ? { me } : {}),
        counted_places: COUNTED_PLACES,
        ends_at: endsAt?.toISOString() ?? null,
      }
    },

    async setRankVisibility({ hidden }, { user }) {
      await store.setHidden(user.id, hidden === 1, clock.now())
      return { hidden: hidden === 1 }
    },
  }
}
