import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { ConfigError } from './config-error.ts'
import type { ConfigPart, ConfigShape } from './config-part.ts'
import { readEarlierKeys } from './earlier-keys.ts'
import { type Environment, inspectEnvironment, missingVariables } from './environment.ts'
import type { VariableName, Variables } from './variables.ts'

const CONFIG_FOLDER = join(import.meta.dirname, '../../config')

/** A release has neither the local chain nor the simulated people, so its folder has no file of the profile. */
const NOT_LOCAL =
  'This is a release, and the local profile is not part of it. Set PROFILE to staging or production, or run `npm start` in a copy of the sources.'

/** The parts' keys as one schema, which accepts no other key. */
export function composeSchema(parts: readonly ConfigPart[]): z.ZodMiniObject<ConfigShape, z.core.$strict> {
  const shape: Record<string, z.core.$ZodType> = {}
  for (const [key, schema] of parts.flatMap((part) => Object.entries(part.shape))) {
    if (key in shape) throw new Error(`two parts of the configuration own the key ${key}`)
    shape[key] = schema
  }
  return z.strictObject(shape)
}

/**
 * Reads the environment and the profile's configuration file, or the file that `CONFIG_FILE` names.
 *
 * @param needed the variables whose absence is a fault; all of them for a server.
 * @throws ConfigError with a sentence for each wrong value and each missing variable, all of them together.
 */
export async function readConfig(
  variables: Variables,
  parts: readonly ConfigPart[],
  needed?: readonly VariableName[],
): Promise<Record<string, unknown> & { env: Environment }> {
  const { env, faults } = inspectEnvironment(variables)
  const path = variables.CONFIG_FILE || join(CONFIG_FOLDER, `${env.profile}.json`)
  if (env.profile === 'local' && !existsSync(path) && !variables.CONFIG_FILE) throw new ConfigError(NOT_LOCAL)
  const file = inspectFile(await readJson(path), parts, env)
  const missing = [...missingVariables(env, file.chainId), ...file.missing].filter(
    ([name]) => !faults.has(name) && (needed?.includes(name) ?? true),
  )
  const all = [
    ...faults.values(),
    ...missing.map(([, sentence]) => sentence),
    ...file.faults.map((why) => `The configuration file ${path} cannot be used: ${why}.`),
  ]
  if (all.length > 0) throw new ConfigError(all)
  return { ...file.values, env }
}

interface InspectedFile {
  readonly values: Record<string, unknown>
  readonly faults: readonly string[]
  readonly missing: readonly (readonly [VariableName, string])[]
  readonly chainId: number | undefined
}

/** Checks each part whose own values can be read, even if another part's cannot. */
function inspectFile({ json, fault }: JsonFile, parts: readonly ConfigPart[], env: Environment): InspectedFile {
  if (fault !== undefined) return { values: {}, faults: [fault], missing: [], chainId: undefined }
  const parsed = composeSchema(parts).safeParse(json, { error: z.locales.en().localeError })
  const faults = (parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`)
  const missing: (readonly [VariableName, string])[] = []
  for (const part of parts) {
    const { success, data } = z.object(part.shape).safeParse(json)
    if (!success) continue
    part.check?.(data, (why) => faults.push(why), env)
    missing.push(...(part.missingVariables?.(data, env) ?? []))
  }
  const { data } = CHAIN_ID.safeParse(json)
  return { values: parsed.data ?? {}, faults, missing, chainId: data?.chain.id }
}

const CHAIN_ID = z.object({ chain: z.object({ id: z.number() }) })

interface JsonFile {
  readonly json?: unknown
  readonly fault?: string
}

async function readJson(path: string): Promise<JsonFile> {
  try {
    return { json: readEarlierKeys(JSON.parse(await readFile(path, 'utf8'))) }
  } catch (error) {
    return { fault: error instanceof SyntaxError ? `it is no JSON (${error.message})` : 'it cannot be read' }
  }
}
