import type { Page, Route } from '@playwright/test'

/** The envelope of our API. */
// biome-ignore lint/suspicious/noExplicitAny: each call has its own data.
type Reply = { readonly data: any }

/**
 * Changes the responses of a call on their way to the page.
 *
 * @param change returns what the page receives.
 */
export async function changeReplies(
  page: Page,
  url: string,
  change: (reply: Reply, route: Route) => Reply,
): Promise<void> {
  await page.route(url, async (route) => {
    try {
      // A response that the browser has kept would have no body.
      const response = await route.fetch({ headers: { ...route.request().headers(), 'if-none-match': '' } })
      await route.fulfill({ response, json: change(await response.json(), route) })
    } catch (error) {
      // A polled call may be on its way when the test ends.
      if (!/disposed|closed|Test ended/.test(String(error))) throw error
    }
  })
}
