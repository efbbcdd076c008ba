import type { Environment } from './environment.ts'

/** Shorter parts of a node's path are words such as `v1`, not keys. */
const MIN_KEY_IN_PATH = 16

export type SecretVariables = Pick<
  Environment,
  | 'databaseUrl'
  | 'readDatabaseUrl'
  | 'chainRpcUrls'
  | 'chainRpcUrlCheck'
  | 'signerKey'
  | 'operatorKey'
  | 'boxSeedKey'
  | 'proofRootKey'
  | 'proofDataKey'
  | 'posterKey'
  | 'bookkeepers'
  | 'serverKey'
  | 'tracing'
  | 'alarmWebhook'
  | 'vapid'
>

/** The values of the environment that no log may show, in the forms that they occur in. */
export function secretsOf(env: SecretVariables): string[] {
  return [
    ...[env.databaseUrl, env.readDatabaseUrl, ...env.chainRpcUrls, env.chainRpcUrlCheck].flatMap(secretsOfUrl),
    ...[env.tracing?.url, env.alarmWebhook?.url].flatMap(secretsOfUrl),
    ...[env.signerKey, env.operatorKey, env.proofRootKey, env.posterKey].flatMap((key) =>
      key ? privateKeyForms(key.slice(2)) : [],
    ),
    ...[env.boxSeedKey, env.serverKey, env.proofDataKey, ...env.bookkeepers.map(({ token }) => token)].flatMap((key) =>
      key ? hexOf(key) : [],
    ),
    ...valuesOfHeaders(env.tracing?.headers),
    ...(env.alarmWebhook ? [Buffer.from(env.alarmWebhook.key).toString('base64')] : []),
    ...(env.vapid ? [env.vapid.privateKey] : []),
  ]
}

function privateKeyForms(hex: string): string[] {
  return [hex, hex.toLowerCase(), hex.toUpperCase(), BigInt(`0x${hex}`).toString()]
}

/** The values of `name=value,name=value`, as they are written and as they are sent. */
function valuesOfHeaders(text = ''): string[] {
  return text
    .split(',')
    .flatMap((header) => [header.slice(header.indexOf('=') + 1).trim(), ...new URLSearchParams(header).values()])
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
