import type { PayloadInput, ResponseOf } from '@clearwell/api/routes'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { useSignedIn } from '../../api/session-store.ts'
import { useCall } from '../../api/use-call.ts'

export type Ranking = ResponseOf<'rankList'>
export type Place = Ranking['items'][number]
export type OwnPlace = NonNullable<Ranking['me']>
export type Board = PayloadInput<'rankList'>['board']
export type Period = PayloadInput<'rankList'>['period']

export const BOARDS = ['power', 'volume', 'leads'] as const satisfies readonly Board[]
export const PERIODS = ['day', 'week', 'all'] as const satisfies readonly Period[]

const RANKS_POLL_MS = 10_000
/** How many places a board shows. */
const PLACES = 50

/** The first places of a board, and the user's own. */
export function useRanking(board: Board, period: Period) {
  const signedIn = useSignedIn()
  const wasSignedIn = useRef(signedIn)
  // Without a session, the response says nothing about the user.
  useEffect(() => {
    if (wasSignedIn.current !== signedIn) void queryClient.invalidateQueries({ queryKey: ['rankList'] })
    wasSignedIn.current = signedIn
  }, [signedIn])
  return useCall('rankList', { board, period, limit: PLACES }, { refetchInterval: RANKS_POLL_MS })
}

/** Hides the user from every board, or shows them again. */
export function useRankVisibility() {
  return useMutation({
    mutationFn: (hidden: boolean) => call('setRankVisibility', { hidden: hidden ? 1 : 0 }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['rankList'] }),
  })
}
