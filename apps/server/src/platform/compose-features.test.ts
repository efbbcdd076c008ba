import { swapRoutes } from '@clearwell/api/swap.routes'
import { walletRoutes } from '@clearwell/api/wallet.routes'
import { describe, expect, test, vi } from 'vitest'
import { createComposition } from './compose-features.ts'
import type { Feature, FeatureParts } from './feature.ts'
import type { Platform } from './platform.ts'
import { defineListPort, definePort } from './port.ts'

const jobs = { add: vi.fn() }
const platform = { jobs } as unknown as Platform

/** A feature with one route, unless the parts say otherwise. */
function feature(name: string, parts: Partial<FeatureParts> = {}): Feature {
  const routes = name === 'swap' ? { pairs: swapRoutes.pairs } : { balances: walletRoutes.balances }
  const handlers = Object.fromEntries(Object.keys(routes).map((route) => [route, () => ({})]))
  return { name, routes, open: () => ({ handlers, ...parts }) as FeatureParts }
}

async function compose(...features: Feature[]) {
  const composition = createComposition()
  await composition.open(features, platform)
  return composition
}

test('merges the handlers of all features and groups them by feature', async () => {
  const { handlers, groups } = await compose(feature('swap'), feature('wallet'))
  expect(Object.keys(handlers)).toEqual(['pairs', 'balances'])
  expect(groups).toEqual([
    { name: 'swap', routes: ['pairs'] },
    { name: 'wallet', routes: ['balances'] },
  ])
})

test('rejects a feature that does not serve exactly its routes', async () => {
  const without = feature('swap', { handlers: {} })
  await expect(compose(without)).rejects.toThrow('the feature swap declares the routes pairs and serves ')
})

describe('ports', () => {
  const greeting = definePort<() => string>('greeting')
  const names = defineListPort<{ name: string }>('names', ({ name }) => name)

  /** A feature that shows what its ports hold when it is called. */
  function reader(read: { text?: () => string }): Feature {
    return {
      ...feature('swap'),
      open({ use }) {
        const [greet, all] = [use(greeting), use(names)]
        read.text = () => `${greet()()} ${all.map(({ name }) => name).join(' and ')}`
        return { handlers: { pairs: () => ({}) } } as FeatureParts
      },
    }
  }

  test('a feature uses the services of features that open later', async () => {
    const read: { text?: () => string } = {}
    const provides = [names.by({ name: 'Ada' }), greeting.by(() => 'hello'), names.by({ name: 'Bo' })]
    await compose(reader(read), feature('wallet', { provides }))
    expect(read.text?.()).toBe('hello Ada and Bo')
  })

  test('the start names a port without a provider, and its user', async () => {
    const composing = compose(reader({}), feature('wallet', { provides: [names.by({ name: 'Ada' })] }))
    await expect(composing).rejects.toThrow('the feature swap uses the port "greeting", which no open feature provides')
  })

  test('the start names a port that the platform misses', async () => {
    const composition = createComposition()
    composition.use(greeting)
    const opening = composition.open([feature('swap')], platform)
    await expect(opening).rejects.toThrow('the platform uses the port "greeting", which no open feature provides')
  })

  test.each([
    ['a port', greeting.by(() => 'hello'), 'greeting'],
    ['an element of a list port', names.by({ name: 'Ada' }), 'names Ada'],
  ])('rejects a second provider of %s', async (_of, provision, name) => {
    const provides = [provision]
    const composing = compose(feature('swap', { provides }), feature('wallet', { provides }))
    await expect(composing).rejects.toThrow(`the feature wallet provides the port "${name}" a second time`)
  })
})

test('features start and take over in order and stop in reverse', async () => {
  const calls: string[] = []
  const lifecycle = (name: string) => ({
    start: () => void calls.push(`start ${name}`),
    onLeader: async () => void calls.push(`lead ${name}`),
    stop: () => void calls.push(`stop ${name}`),
  })
  const { start, onLeader, stop } = await compose(
    feature('swap', lifecycle('swap')),
    feature('wallet', lifecycle('wallet')),
  )
  await onLeader()
  await start()
  await stop()
  expect(calls).toEqual(['lead swap', 'lead wallet', 'start swap', 'start wallet', 'stop wallet', 'stop swap'])
})

test('names the first feature that cannot serve now', async () => {
  let isOk = false
  const health = () => (isOk ? { ok: true } : { ok: false, reason: 'no price' })
  const { fault } = await compose(feature('wallet'), feature('swap', { health }))
  expect(fault()).toBe('swap: no price')
  isOk = true
  expect(fault()).toBeUndefined()
})

test('hands the jobs of each feature to the platform', async () => {
  const job = { name: 'swap.tidy', step: async () => 'done' as const }
  await compose(feature('swap', { jobs: [job] }))
  expect(jobs.add).toHaveBeenLastCalledWith([job])
})
