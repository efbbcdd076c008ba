import { notifyManager, QueryClient, QueryObserver } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { crossFadeTabs } from './cross-fade.ts'

const KEY = ['figure']

afterEach(() => {
  vi.unstubAllGlobals()
  notifyManager.setScheduler((notify) => setTimeout(notify))
})

test('figures that come during a fade are shown when it has ended', async () => {
  const { fade, navigate } = routerBetween('/swap/exchange', '/stake')
  const { client, shown } = observedFigure()
  void navigate()
  fade.begin()
  await settle()
  client.setQueryData(KEY, 7)
  await settle()
  expect(shown()).toBeUndefined()
  fade.end()
  await settle()
  expect(shown()).toBe(7)
})

test('a fade that the next tap ends early shows the figures too', async () => {
  const { fade, navigate } = routerBetween('/swap/exchange', '/stake')
  const { client, shown } = observedFigure()
  void navigate()
  fade.skip()
  await settle()
  client.setQueryData(KEY, 7)
  await settle()
  expect(shown()).toBe(7)
})

test('a screen that is no tab comes without a fade', async () => {
  const { fade, navigate } = routerBetween('/swap/exchange', '/wallet/logs')
  const { client, shown } = observedFigure()
  await navigate()
  expect(fade.start).not.toHaveBeenCalled()
  client.setQueryData(KEY, 7)
  await settle()
  expect(shown()).toBe(7)
})

/** A router on its way between two screens, in a browser whose fade begins and ends when it is asked to. */
function routerBetween(from: string, to: string) {
  const ready = Promise.withResolvers<void>()
  const finished = Promise.withResolvers<void>()
  const start = vi.fn((update: () => Promise<void>) => ({
    ready: ready.promise,
    finished: finished.promise,
    updateCallbackDone: update(),
  }))
  vi.stubGlobal('document', { startViewTransition: start })
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  const router = {
    latestLocation: { pathname: to },
    stores: { resolvedLocation: { get: () => ({ pathname: from }) } },
  } as unknown as AnyRouter
  crossFadeTabs(router)
  const fade = {
    start,
    begin: () => ready.resolve(),
    end: () => finished.resolve(),
    skip() {
      ready.reject(new DOMException('skipped', 'AbortError'))
      finished.resolve()
    },
  }
  return { fade, navigate: () => router.startViewTransition(async () => {}) }
}

/** A figure that a screen would show, which subscribes to it as React's hooks do. */
function observedFigure() {
  const client = new QueryClient()
  const observer = new QueryObserver<number>(client, { queryKey: KEY, enabled: false })
  let shown: number | undefined
  const show = notifyManager.batchCalls(({ data }: { data: number | undefined }) => {
    shown = data
  })
  onTestFinished(observer.subscribe(show))
  return { client, shown: () => shown }
}

/** Lets every task run that waits for none. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5))
}
