import type { SharedPart } from '@clearwell/api/config.routes'
import { Warning } from '@clearwell/ui/components/stage-parts.tsx'
import { useConfig, useIsDegraded } from '../api/config.ts'

/**
 * Says before a press that an act of this screen waits, because a part of the service does not work now.
 *
 * @param text the act that waits, and why. It receives the name of the chain.
 */
export function PartAway({ part, text }: { part: SharedPart; text: (values: { chain: string }) => string }) {
  const config = useConfig()
  const isDegraded = useIsDegraded(part)
  return (
    <div role="status" className="empty:hidden">
      {isDegraded && config && <Warning text={text({ chain: config.chain.name })} />}
    </div>
  )
}
