import { test } from '@playwright/test'
import { newHolder } from '../people.ts'
import { newTrader } from '../trader.ts'
import {
  expectNoDeadEnd,
  expectNoDoubleSubmission,
  expectShownBalances,
  type Random,
  takeStep,
  watchPage,
} from './walk.ts'

/** Of each language: half a minute in `npm test`, five minutes in `npm run nightly -- walker`. */
const SECONDS = Number(process.env.WALK_SECONDS ?? 30)
const SEED = Number(process.env.WALK_SEED ?? 1)
const STEPS_BETWEEN_BALANCES = 40

for (const locale of ['zh-HK', 'en'] as const) {
  test(`a walker meets no dead end in ${locale}`, async ({ browser }) => {
    test.setTimeout((SECONDS + 120) * 1_000)
    const { key } = await newTrader({ USDT: '400', BNB: '2' })
    const user = await newHolder(browser, { locale, key })
    await user.openSignedIn('/wallet')
    const watch = watchPage(user.page)
    const random = randomFrom(SEED)
    const taken: string[] = []
    const endMs = Date.now() + SECONDS * 1_000
    try {
      while (Date.now() < endMs) {
        taken.push(await takeStep(user, random))
        await expectNoDeadEnd(user.page, watch)
        expectNoDoubleSubmission(watch)
        if (taken.length % STEPS_BETWEEN_BALANCES === 0) await expectShownBalances(user)
      }
      await expectShownBalances(user)
    } catch (error) {
      console.log(`seed ${SEED}, ${taken.length} steps, the last:\n${taken.slice(-12).join('\n')}\n${user.page.url()}`)
      throw error
    }
    console.log(`${locale}: ${taken.length} steps by the seed ${SEED}`)
    // Otherwise the report of a failure shows this page instead of the one that failed.
    await user.page.context().close()
  })
}

/** A repeatable generator of whole numbers below a bound (mulberry32). */
function randomFrom(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
