import { readFileSync } from 'node:fs'
import { ConfigError } from './config-error.ts'

/** The variables whose value is a secret. Each may be in a file that `<name>_FILE` names: container platforms mount secrets as files. */
export const SECRET_VARIABLES = [
  'DATABASE_URL',
  'READ_DATABASE_URL',
  'CHAIN_RPC_URL',
  'CHAIN_RPC_URL_CHECK',
  'SERVER_KEY',
  'SIGNER_KEY',
  'OPERATOR_KEY',
  'BOX_SEED_KEY',
  'PROOF_ROOT_KEY',
  'PROOF_DATA_KEY',
  'POSTER_PRIVATE_KEY',
  'BOOKKEEPER_TOKEN',
  'BOOKKEEPER_TOKEN_2',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'ALARM_WEBHOOK_URL',
  'ALARM_WEBHOOK_KEY',
  'VAPID_PRIVATE_KEY',
] as const

export type SecretVariable = (typeof SECRET_VARIABLES)[number]

export type SecretFiles = { readonly [Name in SecretVariable as `${Name}_FILE`]?: string | undefined }

/**
 * Reads the secret that a variable or its file has. The newline at the end of a file is no part of it.
 *
 * @throws ConfigError without the content of the file.
 */
export function readSecret(name: string, variables: Readonly<Record<string, string | undefined>>): string | undefined {
  const path = variables[`${name}_FILE`]
  if (!path) return variables[name]
  if (variables[name]) throw new ConfigError(`${name} and ${name}_FILE must not both be set.`)
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch {
    throw new ConfigError(`${name}_FILE is "${path}", which cannot be read.`)
  }
}
