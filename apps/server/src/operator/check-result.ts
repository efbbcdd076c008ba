import { ConfigError } from '../config/config-error.ts'

/** One thing that was checked, with everything that is wrong with it. */
export interface Check {
  readonly name: string
  readonly faults: readonly string[]
  /** Things to know that are not wrong. */
  readonly notes?: readonly string[]
}

/** Runs a check. Its fault is the error that it throws. */
export async function faultsOf(run: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    return [error instanceof Error ? (error.message.split('\n')[0] ?? error.name) : String(error)]
  }
}
