import { beforeEach, expect, test, vi } from 'vitest'
import { isTakeOver } from '../worker/take-over.ts'
import { registerWorker } from './shell-worker.ts'

/** The messages that each worker received. */
let messages: { worker: string; data: unknown }[]
let registration: EventTarget & { waiting: unknown; installing: unknown }
beforeEach(() => {
  messages = []
  registration = Object.assign(new EventTarget(), { waiting: null, installing: null })
  vi.stubGlobal('navigator', { serviceWorker: { register: async () => registration } })
  vi.stubGlobal('document', { querySelector: () => ({ content: 'b' }) })
})

const workerOf = (build: string) =>
  Object.assign(new EventTarget(), { postMessage: (data: unknown) => messages.push({ worker: build, data }) })

test('asks a waiting worker of the same build to take over', async () => {
  registration.waiting = workerOf('b')
  await registerWorker()
  expect(messages.map(({ data }) => [isTakeOver(data, 'b'), isTakeOver(data, 'a')])).toEqual([[true, false]])
})

test('a worker that installs later hears it when it waits', async () => {
  await registerWorker()
  const worker = workerOf('b')
  registration.installing = worker
  registration.dispatchEvent(new Event('updatefound'))
  worker.dispatchEvent(new Event('statechange'))
  expect(messages).toEqual([])
  registration.waiting = worker
  worker.dispatchEvent(new Event('statechange'))
  expect(messages).toHaveLength(1)
})

test.each([undefined, null, 'take over', { type: 'take over' }, { type: 'push', build: 'b' }])(
  'the worker ignores %j',
  (data) => {
    expect(isTakeOver(data, 'b')).toBe(false)
  },
)
