import { ErrorState } from '@clearwell/ui/components/error-state.tsx'
import { explicitRead } from '@clearwell/ui/components/explicit-read.ts'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { ListEnd } from '@clearwell/ui/components/list-end.tsx'
import { Screen, ScreenPart } from '@clearwell/ui/components/screen.tsx'
import type { ReactNode } from 'react'
import { DemoAccountMark } from '../../account/demo-mark.tsx'
import { m } from '../../generated/messages.ts'
import { OtherRecords } from './records.tsx'

/** A list of a view of the activity, page by page. */
export type ActivityListCall = Parameters<typeof ListEnd>[0] & {
  readonly isError: boolean
  readonly error: Error | null
  readonly isRefetching: boolean
  readonly refetch: () => Promise<{ error: Error | null }>
}

interface FrameProps {
  readonly list: ActivityListCall
  /** True once a page has been read. */
  readonly hasItems: boolean
  readonly filter: ReactNode
  /** The items, or their placeholder. */
  readonly children: ReactNode
  /** Below the whole list. */
  readonly end?: ReactNode
}

/** A view of the activity: its filter, its list with a refresh control, and the records beside it. */
export function ActivityFrame({ list, hasItems, filter, children, end }: FrameProps) {
  return (
    <Screen
      title={m.title_wallet_activity()}
      aside={
        <span className="flex items-center gap-1">
          <DemoAccountMark />
          {list.isError && hasItems && <span className="text-label text-warn">{m.ui_stale()}</span>}
          <IconButton
            icon="refresh-cw"
            label={m.app_reload()}
            aria-busy={list.isRefetching || undefined}
            onClick={() => explicitRead(list.refetch)}
          />
        </span>
      }
    >
      <ScreenPart>
        {filter}
        {/* Beside the list there is room for them; in one column they follow it. */}
        <div className="mt-2 max-columns:hidden">
          <OtherRecords />
        </div>
      </ScreenPart>
      <ScreenPart>
        {list.isError && !hasItems ? <ErrorState error={list.error} onRetry={list.refetch} /> : children}
        <ListEnd {...list} />
        {/* Not below the skeleton: a longer list would push it down. */}
        {end}
        {(hasItems || list.isError) && (
          <div className="columns:hidden">
            <OtherRecords />
          </div>
        )}
      </ScreenPart>
    </Screen>
  )
}
