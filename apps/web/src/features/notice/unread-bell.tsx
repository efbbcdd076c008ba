import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { m } from '../../generated/messages.ts'
import { useLatestNotices } from './notice.queries.ts'
import NoticePopups from './notice-popups.tsx'

/** The badge has room for two digits. */
const MOST_SHOWN = 99

/** The bell with the count of unread notices, and the new notices themselves. */
export default function UnreadBell({ onOpen }: { onOpen: () => void }) {
  return (
    <>
      <Bell onOpen={onOpen} />
      <NoticePopups onOpenAll={onOpen} />
    </>
  )
}

function Bell({ onOpen }: { onOpen: () => void }) {
  const unread = useLatestNotices().data?.unread ?? 0
  return (
    <span className="relative inline-flex">
      <IconButton
        icon="bell"
        label={unread > 0 ? m.notice_unread({ count: String(unread) }) : m.notice_title()}
        aria-haspopup="dialog"
        onClick={onOpen}
      />
      {unread > 0 && (
        <span
          aria-hidden
          className="figures pointer-events-none absolute end-0.5 top-0.5 min-w-5 rounded-full bg-accent px-1 text-center text-label leading-5 font-semibold text-on-accent"
        >
          {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
        </span>
      )}
    </span>
  )
}
