import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { ConfigError } from '../config/config-error.ts'
import { loadConfig } from '../load-config.ts'

const CONFIG_FOLDER = join(import.meta.dirname, '../../config')
export const VAULT = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
export const OPERATOR = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

export type Json = Record<string, unknown>

/** The files that this repository ships, by their profile. */
export const shipped: Readonly<Record<string, Json>> = Object.fromEntries(
  ['local', 'staging', 'production'].map((profile) => [
    profile,
    JSON.parse(readFileSync(join(CONFIG_FOLDER, `${profile}.json`), 'utf8')),
  ]),
)

/** The market of a shipped file. */
export const marketOf = (profile: string): Json => (shipped[profile] as Json).market as Json

/** A shipped file with some values replaced, by their path; `undefined` removes one. */
export function changed(profile: string, changes: Json): Json {
  const json = structuredClone(shipped[profile] as Json)
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split('.')
    const last = keys.pop() as string
    const at = keys.reduce((object, key) => object[key] as Json, json)
    if (value === undefined) delete at[last]
    else at[last] = value
  }
  return json
}

/** Keeps a folder for configuration files while the tests of a file run. */
export function useConfigFolder() {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clearwell-config-'))
  })
  afterAll(() => rm(folder, { recursive: true }))
  const fileName = () => join(folder, 'config.json')
  return {
    async load(text: string, variables: NodeJS.ProcessEnv = {}) {
      await writeFile(fileName(), text)
      return loadConfig({ CONFIG_FILE: fileName(), ...variables })
    },
    unusable: () => `The configuration file ${fileName()} cannot be used: `,
    inFolder: (name: string) => join(folder, name),
  }
}

/** Returns the message that the operator reads for an unusable configuration. */
export async function complaint(loading: Promise<unknown>): Promise<string> {
  const error = await loading.then(
    () => new Error('it was accepted'),
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(ConfigError)
  const { message } = error as Error
  // One sentence in each line, which ends with the only full stop that is followed by nothing.
  for (const line of message.split('\n')) {
    expect(line).toMatch(/^[A-Z].*\.$/)
    expect(line).not.toMatch(/\. /)
  }
  return message
}

export const CUSTODY = { 'chain.vault': VAULT, 'chain.vaultBlock': 7, 'chain.operator': OPERATOR }
export const ready = (profile: string): Json => changed(profile, CUSTODY)
export const STAGING = {
  PROFILE: 'staging',
  CHAIN_RPC_URL: 'https://rpc.example/s3cret',
  PUBLIC_RPC_URL: 'https://rpc.example',
  PUBLIC_URL: 'https://app.example',
  SIGNER_KEY: `0x${'5'.repeat(64)}`,
  BOX_SEED_KEY: `0x${'6'.repeat(64)}`,
  VAULT_KIND: 'plain',
}
export const PRODUCTION = {
  ...STAGING,
  PROFILE: 'production',
  CHAIN_RPC_URL_CHECK: 'https://other.example/s3cret',
  DATABASE_URL: 'postgres://clearwell@db/clearwell',
  SERVER_URL: 'http://10.0.0.1:3000',
  PROOF_ROOT_KEY: `0x${'7'.repeat(64)}`,
  PROOF_DATA_KEY: `0x${'8'.repeat(64)}`,
}
