import { lazyPart } from '@clearwell/ui/components/lazy-part.tsx'
import { useAccount } from '../account/use-account.ts'
import { useNewsSource } from '../api/config.ts'
import { useDismissedNews } from './dismissed-news.ts'
import { chooseNews } from './news.ts'

const NewsBanner = lazyPart(() => import('./news-banner.tsx'))

/** Shows the one banner about the service: a part that does not work, a planned upgrade, new terms of the operator, or a change of a rule. */
export function NewsHost() {
  const source = useNewsSource()
  const dismissed = useDismissedNews()
  const { user } = useAccount()
  const news = source && chooseNews(source, dismissed, user)
  return <div role="status">{news && <NewsBanner news={news} />}</div>
}
