import { expect, test } from 'vitest'
import { createLeadership } from './leadership.ts'

/** A writer that holds the lease until it hands it over. */
function leader({ hasOthers = true, commandsMs = 10_000 } = {}) {
  const steps: string[] = []
  const writer = {
    isWriting: true,
    async handOver() {
      steps.push('lease released')
      writer.isWriting = false
    },
  }
  const leadership = createLeadership({ writer, servers: { hasOthers: async () => hasOthers }, commandsMs })
  return { leadership, writer, steps }
}

test('the lease is released after the commands in progress', async () => {
  const { leadership, steps } = leader()
  const command = Promise.withResolvers<string>()
  const running = leadership.runHere(() => command.promise)
  const broken = leadership.runHere(() => Promise.reject(new Error('a bug')))
  await expect(broken).rejects.toThrow('a bug')
  const handedOver = leadership.handOver()
  await expect.poll(leadership.isLeading).toBe(false)
  expect(steps).toEqual([])
  command.resolve('done')
  await handedOver
  expect([await running, steps]).toEqual(['done', ['lease released']])
  await leadership.handOver()
  expect(steps).toHaveLength(1)
})

test('a command that hangs does not keep the lease', async () => {
  const { leadership, steps } = leader({ commandsMs: 20 })
  void leadership.runHere(() => new Promise(() => {}))
  await leadership.handOver()
  expect(steps).toEqual(['lease released'])
})

test('a lone server keeps the lease', async () => {
  const { leadership, steps } = leader({ hasOthers: false })
  await leadership.handOver()
  expect([leadership.isLeading(), steps]).toEqual([true, []])
})

test('a former leader leads again when its writer takes the lease back', async () => {
  const { leadership, writer } = leader()
  await leadership.handOver()
  expect(leadership.isLeading()).toBe(false)
  writer.isWriting = true
  expect(leadership.isLeading()).toBe(true)
})

test('a hand-over that fails leaves the lease where it was', async () => {
  const { leadership, writer } = leader()
  writer.handOver = () => Promise.reject(new Error('a bug'))
  await expect(leadership.handOver()).rejects.toThrow('a bug')
  expect(leadership.isLeading()).toBe(true)
})
