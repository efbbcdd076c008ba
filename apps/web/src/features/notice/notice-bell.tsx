import { createStore, useStore } from '@clearwell/ui/browser/store.ts'
import { lazyPart, lazySheet } from '@clearwell/ui/components/lazy-part.tsx'
import { useAccount } from '../../account/use-account.ts'
import { together } from '../../manifest/together.ts'
import { loadWords } from '../../manifest/words.ts'

const UnreadBell = lazyPart(() => together(import('./unread-bell.tsx'), loadWords()))
const NoticeSheet = lazySheet(() => together(import('./notice-sheet.tsx'), loadWords()))

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
      {signedIn && <UnreadBell onOpen={openNotices} fallback={<span className="size-11 shrink-0" />} />}
      {isOpen && <NoticeSheet onClose={() => isOpenStore.set(false)} />}
    </>
  )
}
