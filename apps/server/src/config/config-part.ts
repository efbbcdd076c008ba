import type * as z from 'zod/mini'
import type { Environment } from './environment.ts'

export type ConfigShape = Readonly<Record<string, z.core.$ZodType>>

/** The parsed values of a file with these keys. */
export type ValuesOf<Shape extends ConfigShape> = { [Key in keyof Shape]: z.output<Shape[Key]> }

/** Ends the start. `why` completes "The configuration file … cannot be used: ". */
export type Fail = (why: string) => never

/** Top-level keys of the configuration file, owned by the platform or by one feature. */
export interface ConfigPart<Shape extends ConfigShape = ConfigShape> {
  /** Each key's schema, with the description and the default that docs/reference/configuration.md shows. */
  readonly shape: Shape
  /** Rules that no single field can state. */
  check?(values: ValuesOf<Shape>, fail: Fail, env: Environment): void
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
