import { ConfigError } from '../../config/config-error.ts'
import type { Report } from '../log/report.ts'
import { repeat } from '../time/repeat.ts'
import type { Chain } from './chain.ts'
import { ChainFault, isChainTrouble } from './chain-fault.ts'
import { nodeErrorOf } from './node-error.ts'

/** How often the checks run while they have not passed. */
const EVERY_MS = 2_000

/**
 * Keeps the chain closed until the configuration has been compared with it: a server that starts without its node does this
 * when the node first answers.
 */
export interface ChainGate {
  readonly isOpen: boolean
  /** Why the chain is not the one of the configuration. `undefined` while that is not known, and once the gate is open. */
  readonly refusal: string | undefined
  /**
   * Resolves if the gate is open. The first call runs the checks. Later ones do not wait for a silent node: they get the outcome of the
   * last check.
   *
   * @throws ChainFault `refused`, or the nodes' errors.
   */
  pass(): Promise<void>
  /** Runs the checks now, unless they have passed. @throws the same. */
  check(): Promise<void>
  /** Calls this once when the gate opens; immediately if it is open. */
  whenOpen(work: () => void): void
  /** Runs the checks until they have passed. */
  start(): void
  stop(): Promise<void>
}

/**
 * @param checks compare the configuration with the chain. A ConfigError means that they differ.
 * @param onError receives a refusal when it is found.
 * @param silence the error of a node that has not answered yet, where that is known: then nothing waits for it.
 */
export function createChainGate(checks: () => Promise<void>, onError: Report, silence?: Error): ChainGate {
  const waiting: (() => void)[] = []
  let isOpen = false
  let refusal: string | undefined
  let running: Promise<void> | undefined
  let failure: unknown = silence

  async function run(): Promise<void> {
    try {
      await checks()
    } catch (error) {
      const found = refusalOf(error)
      if (found !== undefined && found !== refusal) onError(new Error(found), 'chain refused')
      refusal = found ?? refusal
      failure = found === undefined ? error : new ChainFault('refused', found, { cause: error })
      throw failure
    }
    isOpen = true
    refusal = undefined
    for (const work of waiting.splice(0)) work()
  }

  function check(): Promise<void> {
    if (isOpen) return Promise.resolve()
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }

  const timer = repeat({
    async run() {
      if (isOpen) void timer.stop()
      else await check()
    },
    everyMs: EVERY_MS,
    onError: (error) => {
      // A refusal is reported where it is found.
      if (!isRefused(error)) onError(error, 'chain')
    },
  })

  return {
    get isOpen() {
      return isOpen
    },
    get refusal() {
      return refusal
    },
    pass: () => (isOpen || failure === undefined ? check() : Promise.reject(failure)),
    check,
    whenOpen(work) {
      if (isOpen) work()
      else waiting.push(work)
    },
    start: timer.start,
    stop: timer.stop,
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof ChainFault && error.kind === 'refused'
}

/** Why the chain is not the one of the configuration, if the error says so. */
function refusalOf(error: unknown): string | undefined {
  if (error instanceof ConfigError) return error.message
  const nodeError = nodeErrorOf(error)
  return nodeError?.isOtherChain ? nodeError.message : undefined
}

/**
 * Passes the gate at the start, where a node answers.
 *
 * @throws ConfigError if the chain is not the one of the configuration.
 */
export async function passAtStart(gate: Pick<ChainGate, 'pass'>): Promise<void> {
  await gate.pass().catch((error: Error) => {
    if (error.cause instanceof ConfigError) throw error.cause
    // The server starts without the node, and the gate passes later.
    if (!isChainTrouble(error)) throw error
  })
}

/** The chain behind the gate: nothing of it is read before the gate is open. */
export function gatedChain(chain: Chain, gate: Pick<ChainGate, 'pass'>): Chain {
  const behind =
    <Args extends readonly unknown[], Result>(read: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await gate.pass()
      return read(...args)
    }
  return {
    id: chain.id,
    head: behind(chain.head),
    block: behind(chain.block),
    movements: behind(chain.movements),
    movementsOf: behind(chain.movementsOf),
    vaultHolding: behind(chain.vaultHolding),
    isNonceUsed: behind(chain.isNonceUsed),
    vaultState: behind(chain.vaultState),
    ...(chain.exitActs ? { exitActs: behind(chain.exitActs) } : {}),
  }
}
