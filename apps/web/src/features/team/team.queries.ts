import type { ResponseOf } from '@clearwell/api/routes'
import { useEffect, useRef } from 'react'
import { queryClient } from '../../api/query-client.ts'
import { useCall } from '../../api/use-call.ts'
import { type ListItem, useListCall } from '../../api/use-list-call.ts'

export type TeamOverview = ResponseOf<'teamOverview'>
export type Member = ListItem<'teamMembers'>
export type Earning = ListItem<'referralShares'>

const OVERVIEW_POLL_MS = 5_000
/** How many leads of a member are shown at first, and with each press for more. */
const LEADS_A_PAGE = 20

/** The team in numbers, the level and the earnings. */
export function useTeamOverview() {
  return useCall('teamOverview', {}, { refetchInterval: OVERVIEW_POLL_MS })
}

/** The direct leads of a member, or the user's own, page by page. */
export function useLeads(memberId: string | undefined) {
  return useListCall('teamMembers', {
    ...(memberId === undefined ? {} : { member_id: memberId }),
    limit: LEADS_A_PAGE,
  })
}

/** Reads the listed members again whenever the team's numbers change. */
export function useFreshMembers(overview: TeamOverview | undefined): void {
  const counts = overview && `${overview.total} ${overview.total_activated}`
  const seen = useRef(counts)
  useEffect(() => {
    const before = seen.current
    seen.current = counts
    if (before !== undefined && before !== counts) void queryClient.invalidateQueries({ queryKey: ['teamMembers'] })
  }, [counts])
}
