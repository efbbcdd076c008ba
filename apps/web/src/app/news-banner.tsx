import type { SharedPart } from '@clearwell/api/config.routes'
import { cx } from '@clearwell/ui/browser/cx.ts'
import { ExternalLink } from '@clearwell/ui/components/external-link.tsx'
import { IconButton } from '@clearwell/ui/components/icon-button.tsx'
import { formatHongKongTime } from '@clearwell/ui/i18n/format-date.ts'
import { currentLocale } from '@clearwell/ui/i18n/locale.ts'
import { Icon } from '@clearwell/ui/icons/icon.tsx'
import { Link } from '@tanstack/react-router'
import { m } from '../generated/messages.ts'
import { dismissNews } from './dismissed-news.ts'
import type { News } from './news.ts'

const PARTS: Readonly<Record<SharedPart, () => string>> = {
  chain: m.app_news_chain,
  market: m.app_news_market,
  push: m.app_news_push,
  headers: m.app_news_headers,
}

const MORE = 'min-h-11 shrink-0 content-center rounded-control px-2 font-semibold underline underline-offset-2'

/** One line under the header. A part that does not work stays there until it works again. */
export default function NewsBanner({ news }: { news: News }) {
  const isDegraded = news.kind === 'degraded'
  return (
    <div
      className={cx(
        'flex items-center gap-2 border-b border-line ps-4 pe-2 text-label',
        isDegraded ? 'text-warn' : 'text-muted',
      )}
    >
      <Icon name={isDegraded ? 'circle-alert' : 'info'} className="size-4 shrink-0" />
      <p className="min-h-11 flex-1 content-center py-2 text-phrases">{textOf(news)}</p>
      {news.kind === 'change' && (
        <Link to="/{-$locale}/trust/changes" className={MORE}>
          {m.app_news_more()}
        </Link>
      )}
      {news.kind === 'terms' && (
        <ExternalLink href={news.url} className={MORE}>
          {m.app_news_terms_read()}
        </ExternalLink>
      )}
      {news.kind !== 'degraded' && (
        <IconButton icon="x" label={m.app_news_dismiss()} onClick={() => dismissNews(news.id)} />
      )}
    </div>
  )
}

function textOf(news: News): string {
  switch (news.kind) {
    case 'degraded':
      return PARTS[news.part]()
    case 'upgrade': {
      const { starts_at: from, ends_at: until, text } = news.upgrade
      return m.app_news_upgrade({
        from: formatHongKongTime(from),
        until: formatHongKongTime(until),
        text: text[currentLocale()],
      })
    }
    case 'terms':
      return m.app_news_terms()
    case 'change':
      return m.app_news_change({
        title: news.change.title[currentLocale()],
        date: formatHongKongTime(news.change.starts_at),
      })
  }
}
