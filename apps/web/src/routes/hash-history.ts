import { parseHref } from '@tanstack/history'
import { createBrowserHistory, type RouterHistory } from '@tanstack/react-router'

/**
 * The history of an app routed by hash. The router's own one appends the page's query to the path's: with an invitation,
 * `/?pid=AB12#/en/swap/exchange?pair=ETHUSDT`, the pair would be `ETHUSDT?pid=AB12`, and each language switch would add the
 * query again.
 */
export function createHashHistory(): RouterHistory {
  return createBrowserHistory({
    window,
    parseLocation: () => parseHref(window.location.hash.slice(1) || '/', window.history.state),
    createHref: (path) => `${window.location.pathname}${window.location.search}#${path}`,
  })
}
