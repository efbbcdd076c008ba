import { Section } from '@clearwell/ui/components/card.tsx'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { m } from '../../generated/messages.ts'
import { groupLoans } from './group-notices.ts'
import { useLatestNotices, useMarkRead } from './notice.queries.ts'
import { openNotices } from './notice-bell.tsx'
import { NoticeRow } from './notice-row.tsx'
import { noticeText } from './notice-text.ts'

const SHOWN = 3

/** The latest unread notices, for home: of the warnings of a loan, the newest. Nothing while there are none. */
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
        {groupLoans(unread)
          .slice(0, SHOWN)
          .map(({ newest, others }) => {
            const read = () => markRead([newest, ...others].map(({ id }) => id))
            return (
              <li key={newest.id} className="flex items-center py-1">
                <NoticeRow notice={newest} onFollow={read} />
                <IconButton icon="x" label={m.notice_close({ notice: noticeText(newest).title })} onClick={read} />
              </li>
            )
          })}
      </ul>
    </Section>
  )
}
