import type { Ranking } from './rank.queries.ts'

export const RANKING: Ranking = {
  items: [
    { rank: 1, address: '0x1111…aaaa', value: '98765.4321', is_me: false },
    { rank: 2, address: '0x2222…bbbb', value: '12', is_me: true },
  ],
  me: { rank: 2, value: '12', hidden: false },
  counted_places: 10_000,
  ends_at: '2030-01-01T16:00:00.000Z',
}

/** Six places, none of which is the user's. */
export const SIX: Ranking = {
  items: [1, 2, 3, 4, 5, 6].map((rank) => ({ rank, address: '0x1111…aaaa', value: '98765.4321', is_me: false })),
  counted_places: RANKING.counted_places,
  ends_at: RANKING.ends_at,
}
