import type * as z from 'zod/mini'
import type { Environment, VariableFaults } from './environment.ts'

export type ConfigShape = Readonly<Record<string, z.core.$ZodType>>

/** The parsed values of a file with these keys. */
export type ValuesOf<Shape extends ConfigShape> = { [Key in keyof Shape]: z.output<Shape[Key]> }

/** Adds a fault, with which the server does not start. `why` completes "The configuration file … cannot be used: ". */
export type Fail = (why: string) => void

/** Top-level keys of the configuration file, owned by the platform or by one feature. */
export interface ConfigPart<Shape extends ConfigShape = ConfigShape> {
  /** Each key's schema, with the description and the default that docs/reference/configuration.md shows. */
  readonly shape: Shape
  /** Rules that no single field can state. */
  check?(values: ValuesOf<Shape>, fail: Fail, env: Environment): void
  /** Finds variables of the environment that these values need, and that are missing. */
  missingVariables?(values: ValuesOf<Shape>, env: Environment): VariableFaults
}

/**
 * Declares keys of the configuration file.
 *
 * @example
 * export const tipsConfig = defineConfig({
 *   shape: { tips: z.strictObject({ maxUsdt: amount.check(z.describe('the most per tip')) }) },
 *   check: ({ tips }, fail) => refuseZero('tips.maxUsdt', tips.maxUsdt, fail),
 * })
 */
export function defineConfig<Shape extends ConfigShape>(part: ConfigPart<Shape>): ConfigPart<Shape> {
  return part
}
