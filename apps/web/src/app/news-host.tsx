import { lazyPart } from '@clearwell/ui/components/lazy-part.tsx'
import { useNewsSource } from '../api/config.ts'
import { useDismissedNews } from './dismissed-news.ts'
import { chooseNews } from './news.ts'

const NewsBanner = lazyPart(() => import('./news-banner.tsx'))

/** Shows the one banner about the service: a part that does not work, a planned upgrade, or a change of a rule. */
export function NewsHost() {
  const source = useNewsSource()
  const dismissed = useDismissedNews()
  const news = source && chooseNews(source, dismissed)
  return <div role="status">{news && <NewsBanner news={news} />}</div>
}
