import { swapRoutes } from '@clearwell/api/swap.routes'
import { walletRoutes } from '@clearwell/api/wallet.routes'
import { expect, test, vi } from 'vitest'
import { createComposition } from './compose-features.ts'
import type { Feature, FeatureParts } from './feature.ts'
import type { Platform } from './platform.ts'

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

test('rejects two features that contribute the same purpose of a deposit', async () => {
  const depositPurposes = { activation: { settle: () => ({}) } }
  const composing = compose(feature('swap', { depositPurposes }), feature('wallet', { depositPurposes }))
  await expect(composing).rejects.toThrow('the feature wallet contributes activation a second time')
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
