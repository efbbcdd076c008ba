import { expect, test, vi } from 'vitest'
import { ConfigError } from '../../config/config-error.ts'
import { createChainGate, gatedChain, passAtStart } from './chain-gate.ts'
import { NodeError } from './node-error.ts'
import { createSimulatedChain } from './testing/simulated-chain.ts'

const SILENT = new NodeError('the node did not answer (ECONNREFUSED)', { isNoResponse: true })
const OTHER = new ConfigError('The chain has no contract at chain.vault.')

/** A gate whose checks end with these errors, one after another, and then pass. */
function gateOf(...errors: readonly Error[]) {
  const left = [...errors]
  const reported: string[] = []
  const checks = async () => {
    const error = left.shift()
    if (error) throw error
  }
  const gate = createChainGate(checks, (error, task) => reported.push(`${task}: ${(error as Error).message}`))
  return { gate, reported }
}

test('nothing is read of a chain that is not the configured one', async () => {
  const { gate, reported } = gateOf(SILENT, OTHER, OTHER)
  const held = createSimulatedChain(97)
  const chain = gatedChain(held, gate)
  let opened = 0
  gate.whenOpen(() => opened++)
  await expect(chain.head()).rejects.toBe(SILENT)
  expect([gate.isOpen, gate.refusal]).toEqual([false, undefined])
  // A request causes no second check.
  await expect(chain.head()).rejects.toBe(SILENT)
  for (let round = 0; round < 2; round++) {
    await expect(gate.check()).rejects.toMatchObject({ name: 'ChainFault', kind: 'refused' })
    await expect(chain.vaultState()).rejects.toMatchObject({ kind: 'refused' })
  }
  expect([gate.refusal, reported, opened]).toEqual([OTHER.message, [`chain refused: ${OTHER.message}`], 0])
  expect(Object.values(held.askedCount).every((count) => count === 0)).toBe(true)

  await gate.check()
  expect((await chain.head()).number).toBe(0n)
  expect([gate.isOpen, gate.refusal, opened]).toEqual([true, undefined, 1])
})

test('a start does not wait for a silent node', async () => {
  const checks = vi.fn(() => new Promise<never>(() => {}))
  await passAtStart(createChainGate(checks, () => {}, SILENT))
  expect(checks).not.toHaveBeenCalled()
})

test('a start is refused by the configuration and not by silence', async () => {
  await expect(passAtStart(gateOf(OTHER).gate)).rejects.toBe(OTHER)
  await passAtStart(gateOf(SILENT).gate)
  await expect(passAtStart(gateOf(new TypeError('bug')).gate)).rejects.toThrow('bug')
})

test('a server that started without its node passes the gate automatically', async () => {
  const { gate } = gateOf(SILENT)
  await passAtStart(gate)
  vi.useFakeTimers()
  gate.start()
  await vi.advanceTimersByTimeAsync(2_000)
  expect(gate.isOpen).toBe(true)
  await gate.stop()
  vi.useRealTimers()
})
