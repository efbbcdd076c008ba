import { Section } from '@clearwell/ui/components/card.tsx'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { m } from '../../generated/messages.ts'
import { useLatestNotices, useMarkRead } from './notice.queries.ts'
import { openNotices } from './notice-bell.tsx'
import { NoticeRow } from './notice-row.tsx'
import { noticeText } from './notice-text.ts'

const SHOWN = 3

/** The latest unread notices, for home. Nothing while there are none. */
export default function UnreadNotices() {
  const { mutate: markRead } = useMarkRead()
  const unread = useLatestNotices().data?.items.filter(({ read }) => !read) ?? []
  if (unread.length === 0) return null
  return (
    <Section
      title={m.notice_latest()}
      action={
        <button type="button" className="-my-2 min-h-11 text-accent" aria-haspopup="dialog" onClick={openNotices}>
          {m.notice_see_all()}
        </button>
      }
    >
      <ul className="flex flex-col divide-y divide-line">
        {unread.slice(0, SHOWN).map((notice) => (
          <li key={notice.id} className="flex items-center py-1">
            <NoticeRow notice={notice} onFollow={() => markRead([notice.id])} />
            <IconButton
              icon="x"
              label={m.notice_close({ notice: noticeText(notice).title })}
              onClick={() => markRead([notice.id])}
            />
          </li>
        ))}
      </ul>
    </Section>
  )
}
