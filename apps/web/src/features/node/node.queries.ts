import type { ResponseOf } from '@clearwell/api/routes'
import { useCall } from '../../api/use-call.ts'

export type NodeOverview = ResponseOf<'nodeOverview'>
export type NodeIncome = ResponseOf<'nodeIncome'>

const OVERVIEW_POLL_MS = 10_000
const INCOME_POLL_MS = 30_000

export function useNodeOverview() {
  return useCall('nodeOverview', {}, { refetchInterval: OVERVIEW_POLL_MS })
}

/** The daily sums since a moment. The boxes themselves are a list of their own. */
export function useNodeIncome(from: string) {
  return useCall('nodeIncome', { from, limit: 1 }, { refetchInterval: INCOME_POLL_MS })
}
