import type { ConfigPart, ConfigShape, ValuesOf } from './config/config-part.ts'
import { withLocalVault } from './config/local-vault-kind.ts'
import { type PlatformConfig, platformConfig } from './config/platform-config.ts'
import { readConfig } from './config/read-config.ts'
import type { VariableName, Variables } from './config/variables.ts'
import { FEATURES } from './features.ts'

/** The type with everything that the members of a union have. */
export type Both<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never
type ValuesOfPart<Each> = Each extends { readonly config?: ConfigPart<infer Shape extends ConfigShape> }
  ? ValuesOf<Shape>
  : never

/** The whole configuration: the environment, the platform's keys and those of every feature. */
export type Config = PlatformConfig & Both<ValuesOfPart<(typeof FEATURES)[number]>>

/** The operator's file alone. */
export type FileConfig = Omit<Config, 'env'>

/** The parts of the configuration file. Features of one domain read the same part. */
export const CONFIG_PARTS: readonly ConfigPart[] = [
  ...new Set([platformConfig, ...FEATURES.flatMap(({ config }) => (config ? [config] : []))]),
]

/**
 * @param needed the variables whose absence is a fault; all of them for a server.
 * @throws ConfigError, one sentence for the operator.
 */
export async function loadConfig(variables: Variables, needed?: readonly VariableName[]): Promise<Config> {
  return (await readConfig(variables, CONFIG_PARTS, needed)) as Config
}

/** The same for this process: its own variables, and in the local profile the vault that `npm start` has deployed. */
export async function loadOwnConfig(needed?: readonly VariableName[]): Promise<Config> {
  return loadConfig(await withLocalVault(process.env), needed)
}
