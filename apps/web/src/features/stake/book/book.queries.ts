import type { ResponseOf } from '@clearwell/api/routes'
import { useCall } from '../../../api/use-call.ts'

export type StressTestResult = ResponseOf<'stakeStress'>
export type StressScenario = StressTestResult['scenarios'][number]
export type StressedPool = StressScenario['pools'][number]
export type Parameters = ResponseOf<'stakeParameters'>['now']

/** The server computes a test at most this often. */
const STRESS_POLL_MS = 30_000
/** A change is announced a day ahead. */
const PARAMETERS_POLL_MS = 60_000

export function useStressTest() {
  return useCall('stakeStress', {}, { refetchInterval: STRESS_POLL_MS })
}

export function useParameters() {
  return useCall('stakeParameters', {}, { refetchInterval: PARAMETERS_POLL_MS })
}
