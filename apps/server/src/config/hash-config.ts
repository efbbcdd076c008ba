import { createHmac, hash } from 'node:crypto'
import type { Environment } from './environment.ts'

/** Hex characters of the hash: enough to tell configurations apart at a glance. */
const LENGTH = 12

/**
 * Returns a short hash of the configuration file's values. Two servers with the same values have the same hash, in any order
 * and format of the file. The environment, which holds secrets and differs between servers, is not part of it.
 */
export function hashConfig({ env: _env, ...values }: { readonly env: unknown }): string {
  return hashValue(values)
}

/** The hash of each key of a configuration, by its name. */
export type ConfigHashes = Readonly<Record<string, string>>

/**
 * Returns a hash of each key that the servers of one ledger must have alike: those of the file, and the variables that are neither
 * an address of one machine nor its role. A secret is the key of an HMAC over its name, so its hash says nothing about it: each is at
 * least 24 random bytes.
 */
export function hashConfigKeys({ env, ...values }: { readonly env: Environment }): ConfigHashes {
  const { profile, publicUrl, signerKey, boxSeedKey, proofRootKey, proofDataKey, serverKey, vapid, alarmWebhook } = env
  const [bookkeeper, standby] = env.bookkeepers
  const variables = {
    PROFILE: profile,
    PUBLIC_URL: publicUrl,
    VAULT_KIND: env.vaultKind,
    VAPID_SUBJECT: vapid?.subject,
    BOOKKEEPER_ADDRESS: bookkeeper?.address,
    BOOKKEEPER_ADDRESS_2: standby?.address,
  }
  const secrets = {
    SIGNER_KEY: signerKey?.toLowerCase(),
    BOX_SEED_KEY: boxSeedKey,
    PROOF_ROOT_KEY: proofRootKey?.toLowerCase(),
    PROOF_DATA_KEY: proofDataKey,
    POSTER_PRIVATE_KEY: env.posterKey?.toLowerCase(),
    BOOKKEEPER_TOKEN: bookkeeper?.token,
    BOOKKEEPER_TOKEN_2: standby?.token,
    SERVER_KEY: serverKey,
    VAPID_PRIVATE_KEY: vapid?.privateKey,
    ALARM_WEBHOOK_KEY: alarmWebhook?.key,
  }
  return Object.fromEntries([
    ...Object.entries(variables).map(([name, value]) => [name, hashValue(value ?? null)]),
    ...Object.entries(secrets).map(([name, secret]) => [
      name,
      secret === undefined ? 'none' : hashSecret(name, secret),
    ]),
    ...leaves('', values).map(([path, value]) => [path, hashValue(value)]),
  ])
}

/** Returns the names of the keys that differ, or that only one of them has, in order. */
export function differingKeys(one: ConfigHashes, other: ConfigHashes): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].filter((name) => one[name] !== other[name]).toSorted()
}

function hashValue(value: unknown): string {
  return hash('sha256', JSON.stringify(sorted(value))).slice(0, LENGTH)
}

function hashSecret(name: string, secret: string | Uint8Array): string {
  return createHmac('sha256', secret).update(name).digest('hex').slice(0, LENGTH)
}

/** Each value that is no object, with its path. A list is one value. */
function leaves(path: string, value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]]
  return Object.entries(value).flatMap(([key, each]) => leaves(path === '' ? key : `${path}.${key}`, each))
}

/** The same value with the keys of every object in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  )
}
