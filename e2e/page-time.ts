import type { Page } from '@playwright/test'

/** The time of a page that goes on only where a test lets it. */
export interface PageTime {
  /** From now on it does not go on by itself. */
  stop(): Promise<void>
  /** Lets it go by, a little at a time: what the page asks for meanwhile is answered, and read, before it goes on. */
  runFor(ms: number): Promise<void>
  /** How often a call, by its path behind `/api`, was answered since the page was loaded. */
  answered(path: string): Promise<number>
}

const STEP_MS = 100

/** Takes the time of a page into one's own hands, before the page is opened; it goes by itself until it is stopped. */
export async function pageTime(page: Page): Promise<PageTime> {
  await page.clock.install()
  await page.addInitScript(countCalls)
  const read = () => page.evaluate(() => (window as never as { callsRead: () => Promise<void> }).callsRead())
  return {
    async stop() {
      await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
      await read()
    },
    async runFor(ms) {
      for (let left = ms; left > 0; left -= STEP_MS) {
        await page.clock.runFor(Math.min(left, STEP_MS))
        await read()
      }
    },
    answered: (path) =>
      page.evaluate(
        (name) => (window as never as { callsAnswered: Record<string, number> }).callsAnswered[name] ?? 0,
        `/api${path}`,
      ),
  }
}

/** Runs in the page: only there is it certain that nothing was asked for that is not read yet. */
function countCalls(): void {
  const answered: Record<string, number> = {}
  let underWay = 0
  const { fetch } = window
  window.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
    // A stream has no end that could be waited for.
    if (pathname === '/api/stream') return fetch(input, init)
    underWay += 1
    try {
      const response = await fetch(input, init)
      await response.clone().arrayBuffer()
      answered[pathname] = (answered[pathname] ?? 0) + 1
      return response
    } finally {
      underWay -= 1
    }
  }
  /** No clock holds a message up. */
  const turn = () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = resolve
      port2.postMessage('')
    })
  async function callsRead(): Promise<void> {
    do await turn()
    while (underWay > 0)
    // The app reads what has come in a few turns of its own.
    for (let turns = 0; turns < 5; turns += 1) await turn()
  }
  Object.assign(window, { callsAnswered: answered, callsRead })
}
