import { useAccount } from '../../account/use-account.ts'
import { createStore, useStore } from '../../browser/store.ts'
import { IconButton } from '../../components/icon-button.tsx'
import { lazyPart, lazySheet } from '../../components/lazy-part.tsx'
import { m } from '../../generated/paraglide/messages.js'
import { useLatestNotices } from './notice.queries.ts'

const NoticePopups = lazyPart(() => import('./notice-popups.tsx'))
const NoticeSheet = lazySheet(() => import('./notice-sheet.tsx'))

/** The badge has room for two digits. */
const MOST_SHOWN = 99

const isOpenStore = createStore(false)

/** Opens the list of notices, also for people who are signed out. */
export function openNotices(): void {
  isOpenStore.set(true)
}

/** The bell of the header with the count of unread notices, and everything that it opens. */
export function NoticeBell() {
  const { signedIn } = useAccount()
  const isOpen = useStore(isOpenStore)
  return (
    <>
      {signedIn && (
        <>
          <Bell />
          <NoticePopups />
        </>
      )}
      {isOpen && <NoticeSheet onClose={() => isOpenStore.set(false)} />}
    </>
  )
}

function Bell() {
  const unread = useLatestNotices().data?.unread ?? 0
  return (
    <span className="relative inline-flex">
      <IconButton
        icon="bell"
        label={unread > 0 ? m.notice_unread({ count: String(unread) }) : m.notice_title()}
        aria-haspopup="dialog"
        onClick={openNotices}
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
