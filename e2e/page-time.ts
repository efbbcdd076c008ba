import { expect, type Page } from '@playwright/test'

/** The clock of a page, which a test stops and runs. */
export interface PageTime {
  /** Stops the clock. */
  stop(): Promise<void>
  /** Runs the stopped clock in small steps. The page receives and reads pending responses before the next step. */
  runFor(ms: number): Promise<void>
  /** Counts the responses to a call, by its path after `/api`, since the page loaded. */
  countResponses(path: string): Promise<number>
}

const STEP_MS = 100

/** Takes control of a page's clock before the page opens. The clock runs until it is stopped. */
export async function controlPageTime(page: Page): Promise<PageTime> {
  await page.clock.install()
  await page.addInitScript(trackCalls)
  const settle = () => page.evaluate(() => (window as never as { settleCalls: () => Promise<void> }).settleCalls())
  return {
    async stop() {
      await pauseClock(page)
      await settle()
    },
    async runFor(ms) {
      for (let left = ms; left > 0; left -= STEP_MS) {
        await page.clock.runFor(Math.min(left, STEP_MS))
        await settle()
      }
    },
    countResponses: (path) =>
      page.evaluate(
        (name) => (window as never as { responseCounts: Record<string, number> }).responseCounts[name] ?? 0,
        `/api${path}`,
      ),
  }
}

/** Stops the clock of a page a second from now. Where the page hears of it later, a second try finds its clock stopped. */
export async function pauseClock(page: Page): Promise<void> {
  await expect(async () => page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)).toPass()
}

/** Runs in the page, which alone knows whether it has read every response. */
function trackCalls(): void {
  const responseCounts: Record<string, number> = {}
  let pending = 0
  const { fetch } = window
  window.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href)
    // A stream never ends, so it cannot be awaited.
    if (pathname === '/api/stream') return fetch(input, init)
    pending += 1
    try {
      const response = await fetch(input, init)
      await response.clone().arrayBuffer()
      responseCounts[pathname] = (responseCounts[pathname] ?? 0) + 1
      return response
    } finally {
      pending -= 1
    }
  }
  /** Waits for one turn of the event loop with a message, which a stopped clock does not delay. */
  const turn = () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = resolve
      port2.postMessage('')
    })
  async function settleCalls(): Promise<void> {
    do await turn()
    while (pending > 0)
    // The app takes a few more turns to read the responses.
    for (let turns = 0; turns < 5; turns += 1) await turn()
  }
  Object.assign(window, { responseCounts, settleCalls })
}
