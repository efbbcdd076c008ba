import { expect, onTestFinished, test } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { textOf } from '../../testing/facts.ts'
import { renderPart } from '../../testing/render-part.tsx'
import { renderScreen, responseTo } from '../../testing/render-screen.tsx'
import { structureOf, withoutSamples } from '../../testing/samples.ts'
import AccountOverview from './account-overview.tsx'
import { type HomeShape, homeShapes } from './home-shape.ts'

type Known = NonNullable<Parameters<typeof renderScreen>[1]>

const ADDRESS = '0xaaaa000000000000000000000000000000000001'
const none = { items: [], next_cursor: null, archived_until: null }
const NO_STEP_DONE = [
  responseTo('logs', { kind: 'deposit', limit: 1 }, none),
  responseTo('orders', { limit: 1 }, none),
  responseTo('getActiveStatus', {}, { status: 0, price: '20', asset: 'USDT' }),
]

/** The top of home in English, with samples, for an account that had this shape last. */
async function overview(known: Known, shape?: HomeShape): Promise<string> {
  const own = homeShapes.of(ADDRESS)
  onTestFinished(() => own.set(undefined))
  own.set(shape)
  await renderScreen('/en', known)
  return renderPart(AccountOverview)
}

const ACTIONS = 'aria-label="Wallet actions"'
const STEPS_PLACE = 'min-height:18rem'
const DANGER_PLACE = 'min-h-40'

test('an account that is not activated has its actions before its loans', async () => {
  const inactive = await overview({ user: { activated: false } })
  expect(inactive).toContain(ACTIONS)
  expect(await overview({ user: {} })).not.toContain(ACTIONS)
})

test('the sample of the steps is as high as the steps', async () => {
  const user = { activated: false }
  const stepsIn = (html: string) => /<ol.*<\/ol>/s.exec(html)?.[0] ?? ''
  const [loading, loaded] = [await overview({ user }), await overview({ user, responses: NO_STEP_DONE })]
  expect(withoutSamples(loading)).not.toContain('<ol')
  expect(structureOf(stepsIn(loading))).toEqual(structureOf(stepsIn(loaded)))
  // A step that is done has one line less, and keeps its height.
  expect(stepsIn(loaded).match(/<(a|div) [^>]*min-h-14/g)).toHaveLength(4)
  expect(textOf(stepsIn(loaded))).toContain('Activate your account Once, for 20 USDT')
})

test.each([
  ['nothing', undefined, false, false],
  ['a danger', { hasDanger: true, steps: 0 }, true, false],
  ['steps', { hasDanger: false, steps: 4 }, false, true],
])('keeps the place of %s that home had last', async (_, shape, hasDanger, hasSteps) => {
  const html = await overview({ user: {} }, shape)
  expect([html.includes(DANGER_PLACE), html.includes(STEPS_PLACE)]).toEqual([hasDanger, hasSteps])
})

test('another account has no place of these', async () => {
  const html = await overview({ user: { address: ADDRESS.replace('1', '2') } }, { hasDanger: true, steps: 4 })
  expect([html.includes(DANGER_PLACE), html.includes(STEPS_PLACE)]).toEqual([false, false])
})

test('the step of the local profile has its place before the configuration', async () => {
  const user = { activated: false }
  const stepsIn = (html: string) => html.match(/<li>/g)?.length
  await overview({ user }, { hasDanger: false, steps: 5 })
  queryClient.removeQueries({ queryKey: ['config', {}] })
  expect(stepsIn(await renderPart(AccountOverview))).toBe(5)
  await overview({ user }, { hasDanger: false, steps: 4 })
  queryClient.removeQueries({ queryKey: ['config', {}] })
  expect(stepsIn(await renderPart(AccountOverview))).toBe(4)
})
