import { FEATURES } from './features.ts'
import type { TimelineSource } from './platform/operator/timeline-source.ts'
import { PLATFORM_TIMELINE } from './platform/platform-timeline.ts'

/** Everything beside the ledger that `operator user` shows of an account's past. */
export const TIMELINE: readonly TimelineSource[] = [
  ...PLATFORM_TIMELINE,
  ...FEATURES.flatMap((feature) => ('timeline' in feature ? (feature.timeline ?? []) : [])),
]
