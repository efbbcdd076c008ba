import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { endOnSignals } from './end-on-signals.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function startProcess(stop: () => Promise<readonly string[]>, cutDrainShort = () => false) {
  const codes: number[] = []
  const left: string[] = []
  const process = Object.assign(new EventEmitter(), { exit: (code: number) => codes.push(code) })
  endOnSignals(process, { stop, cutDrainShort, onLeft: (parts) => left.push(...parts) })
  return { codes, left, send: (signal: string) => process.emit(signal) }
}

test('a signal stops the process with code 0', async () => {
  const { codes, left, send } = startProcess(async () => [])
  send('SIGTERM')
  await vi.runAllTimersAsync()
  expect([codes, left]).toEqual([[0], []])
})

test('a stop with running parts names them and exits with code 1', async () => {
  const { codes, left, send } = startProcess(async () => ['database'])
  send('SIGTERM')
  await vi.runAllTimersAsync()
  expect([codes, left]).toEqual([[1], ['database']])
})

test('a second signal ends the process immediately', async () => {
  const { codes, send } = startProcess(() => new Promise(() => {}))
  send('SIGTERM')
  await vi.advanceTimersByTimeAsync(501)
  expect(codes).toEqual([])
  send('SIGINT')
  expect(codes).toEqual([130])
})

test('the same signal delivered twice still drains', async () => {
  const { codes, send } = startProcess(() => new Promise(() => {}))
  send('SIGTERM')
  await vi.advanceTimersByTimeAsync(10)
  send('SIGTERM')
  expect(codes).toEqual([])
})

test('a second signal ends the drain, and a third the process', async () => {
  let isDraining = true
  const cutShort = () => {
    const wasDraining = isDraining
    isDraining = false
    return wasDraining
  }
  const { codes, send } = startProcess(() => new Promise(() => {}), cutShort)
  send('SIGTERM')
  await vi.advanceTimersByTimeAsync(501)
  send('SIGTERM')
  // The start script delivers the second signal twice as well.
  send('SIGTERM')
  expect([isDraining, codes]).toEqual([false, []])
  await vi.advanceTimersByTimeAsync(501)
  send('SIGTERM')
  expect(codes).toEqual([143])
})
