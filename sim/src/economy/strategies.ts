import { globSync } from 'node:fs'
import type { Strategy } from './strategy.ts'

const SUFFIX = '-strategies.ts'

const subjects = globSync(`*${SUFFIX}`, { cwd: import.meta.dirname })
  .map((file) => file.slice(0, -SUFFIX.length))
  .toSorted()

/** Every strategy of the attacker: the default exports of the files `<subject>-strategies.ts` in this folder, by file name. */
export const STRATEGIES: readonly Strategy[] = (await Promise.all(subjects.map(loadStrategies))).flat()

/** @throws Error if the file exports no strategies. */
async function loadStrategies(subject: string): Promise<readonly Strategy[]> {
  const { default: strategies } = (await import(`./${subject}-strategies.ts`)) as {
    readonly default?: readonly Strategy[]
  }
  if (!strategies?.length)
    throw new Error(`sim/src/economy/${subject}${SUFFIX} has no strategies as its default export`)
  return strategies
}
