import { CODES } from '@clearwell/api/codes'
import type { Page, Route } from '@playwright/test'
import { installWallet, type SigningWallet, WALLET_NAME } from '../signing-wallet.ts'
import { stepsOf } from '../steps.ts'
import type { ShotPeople } from './people.ts'
import type { State } from './states.ts'

/** A page in a state, and the steps that keep it there from screen to screen. */
interface Arranged {
  beforeScreen(): Promise<void>
  afterScreen(): Promise<void>
}

/** Calls that describe the product and the session: without them no screen gets as far as its own data. */
const NEEDED = /^\/api\/(config|DappUser\/)/
/** The app retries a failed call after 1, 2 and 4 s. */
const RETRY_MS = 4_100
/** The retries of a screen's calls, and of calls that wait for those. A busy machine may need several steps for one. */
const [LEAST_STEPS, MOST_STEPS] = [3, 12]
/** Skeletons, offline banners and toasts have appeared by then. */
const SETTLE_MS = 400

/** Ethereum, which the product does not use. */
const OTHER_CHAIN = 1

const nothing = async () => {}

/** Opens the app in a state. */
export async function arrange(page: Page, state: State, people: ShotPeople): Promise<Arranged> {
  const settle = () => page.waitForTimeout(SETTLE_MS)
  const plain: Arranged = { beforeScreen: nothing, afterScreen: settle }
  switch (state) {
    case 'signed-out':
      await page.goto('/#/en')
      return plain
    case 'empty':
      await signIn(page, people.empty.key)
      return plain
    case 'not-activated':
      await signIn(page, people.notActivated.key)
      return plain
    case 'activated':
    case 'success':
      await signIn(page, people.activated.key)
      return plain
    case 'wrong-chain': {
      const wallet = await signIn(page, people.activated.key)
      // The app asks for the switch back, and the user declines.
      wallet.refuse('wallet_switchEthereumChain')
      await wallet.changeChain(OTHER_CHAIN)
      return plain
    }
    case 'loading':
      await signIn(page, people.activated.key)
      await failCalls(page, () => {})
      return plain
    case 'error':
      await page.clock.install()
      await signIn(page, people.activated.key)
      await failCalls(page, (route) => route.fulfill({ status: 500, json: serverFault(route) }))
      return { beforeScreen: nothing, afterScreen: () => skipRetries(page, settle) }
    case 'offline':
      await signIn(page, people.activated.key)
      return {
        beforeScreen: () => page.context().setOffline(false),
        async afterScreen() {
          await settle()
          await page.context().setOffline(true)
          await settle()
        },
      }
  }
}

/** The server's response to a bug, in the language of the request. */
function serverFault(route: Route) {
  const { code, msg } = CODES.something_went_wrong
  const isEnglish = route.request().headers()['accept-language']?.startsWith('en')
  return { code, msg: isEnglish ? msg.en : msg['zh-HK'], data: {} }
}

async function signIn(page: Page, key: `0x${string}`): Promise<SigningWallet> {
  const wallet = await installWallet(page.context(), { key })
  const steps = stepsOf(page, 'en')
  await steps.open('/')
  await steps.signIn(WALLET_NAME)
  return wallet
}

/** Loads the page again, and from then on no data of a screen arrives. */
async function failCalls(page: Page, fail: (route: Route) => unknown): Promise<void> {
  await page.route('**/api/**', (route) =>
    NEEDED.test(new URL(route.request().url()).pathname) ? route.continue() : fail(route),
  )
  await page.reload()
}

/** Moves the page's clock until no part of the screen is loading. */
async function skipRetries(page: Page, settle: () => Promise<void>): Promise<void> {
  const loading = page.locator('main [role=status][aria-label]')
  for (let step = 0; step < MOST_STEPS; step++) {
    await settle()
    if (step >= LEAST_STEPS && (await loading.count()) === 0) return
    await page.clock.fastForward(RETRY_MS)
  }
}
