import { m } from '../generated/messages.ts'
import { Badge } from './badge.tsx'
import { explicitRead } from './explicit-read.ts'
import { IconButton } from './icon-button.tsx'

/** Beside the title of a screen with polled data: says that the shown data is stale, and reads it again on a press. */
export function RefreshControl({
  query: { data, isError, isFetching, refetch },
}: {
  query: { data: unknown; isError: boolean; isFetching: boolean; refetch: () => Promise<unknown> }
}) {
  return (
    <span className="flex items-center gap-1">
      {isError && data !== undefined && <Badge tone="warning">{m.ui_stale()}</Badge>}
      <IconButton
        icon="refresh-cw"
        label={m.app_reload()}
        aria-busy={isFetching || undefined}
        onClick={() => void explicitRead(refetch)}
        className="-me-3"
      />
    </span>
  )
}
