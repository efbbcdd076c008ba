import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { ConfigError } from './config-error.ts'
import type { ConfigPart, ConfigShape, Fail } from './config-part.ts'
import { type Environment, readEnvironment, type Variables } from './environment.ts'

const CONFIG_FOLDER = join(import.meta.dirname, '../../config')

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
 * @throws ConfigError with one sentence that says which value is wrong and what it must be.
 */
export async function readConfig(
  variables: Variables,
  parts: readonly ConfigPart[],
): Promise<Record<string, unknown> & { env: Environment }> {
  const env = readEnvironment(variables)
  const path = variables.CONFIG_FILE ?? join(CONFIG_FOLDER, `${env.profile}.json`)
  const fail: Fail = (why) => {
    throw new ConfigError(`The configuration file ${path} cannot be used: ${why}.`)
  }
  const parsed = composeSchema(parts).safeParse(await readJson(path, fail), { error: z.locales.en().localeError })
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return fail(`${issue?.path.join('.') || 'the file'}: ${issue?.message}`)
  }
  for (const { check } of parts) check?.(parsed.data, fail, env)
  return { ...parsed.data, env }
}

async function readJson(path: string, fail: Fail): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    return fail(error instanceof SyntaxError ? `it is no JSON (${error.message})` : 'it cannot be read')
  }
}
