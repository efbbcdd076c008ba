import type { Environment } from '../../config/environment.ts'

/** A shorter value occurs in ordinary text. */
const MIN_SECRET = 6
/** Shorter parts of a node's path are words such as `v1`, not keys. */
const MIN_KEY_IN_PATH = 16

/** Returns a function that removes the secrets of the environment from a text. */
export function secretRemover(env: Pick<Environment, keyof Secrets>): (text: string) => string {
  const secrets = secretsOf(env)
    .filter((each) => each.length >= MIN_SECRET)
    // Inside JSON a quote or a backslash of a secret is escaped.
    .flatMap((each) => [each, JSON.stringify(each).slice(1, -1), encodeURIComponent(each)])
    .toSorted((a, b) => b.length - a.length)
  const all = [...new Set(secrets)]
  return (text) => all.reduce((left, secret) => left.replaceAll(secret, '[secret]'), text)
}

interface Secrets {
  databaseUrl: unknown
  chainRpcUrl: unknown
  chainRpcUrlCheck: unknown
  signerKey: unknown
  boxSeedKey: unknown
  vapid: unknown
}

function secretsOf(env: Pick<Environment, keyof Secrets>): string[] {
  const key = env.signerKey?.slice(2)
  return [
    ...[env.databaseUrl, env.chainRpcUrl, env.chainRpcUrlCheck].flatMap(secretsOfUrl),
    ...(key ? [key, key.toLowerCase(), key.toUpperCase(), BigInt(`0x${key}`).toString()] : []),
    ...(env.boxSeedKey ? hexOf(env.boxSeedKey) : []),
    ...(env.vapid ? [env.vapid.privateKey] : []),
  ]
}

function hexOf(bytes: Uint8Array): string[] {
  const hex = Buffer.from(bytes).toString('hex')
  return [hex, hex.toUpperCase()]
}

/** The password and the keys of an address. The host is no secret, and helps to find a fault. */
function secretsOfUrl(text: string | undefined): string[] {
  if (text === undefined) return []
  const { username, password, pathname, searchParams, protocol } = new URL(text)
  const isHttp = protocol.startsWith('http')
  return [
    password,
    decodeURIComponent(password),
    ...(isHttp ? [username, decodeURIComponent(username)] : []),
    ...(isHttp ? pathname.split('/').filter((part) => part.length >= MIN_KEY_IN_PATH) : []),
    ...searchParams.values(),
  ]
}
