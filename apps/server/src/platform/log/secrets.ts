import { type SecretVariables, secretsOf } from '../../config/secrets.ts'

/** A shorter value occurs in ordinary text. */
const MIN_SECRET = 6

/** Returns a function that removes the secrets of the environment from a text. */
export function secretRemover(env: SecretVariables): (text: string) => string {
  const secrets = secretsOf(env)
    .filter((each) => each.length >= MIN_SECRET)
    // Inside JSON a quote or a backslash of a secret is escaped.
    .flatMap((each) => [each, JSON.stringify(each).slice(1, -1), encodeURIComponent(each)])
    .toSorted((a, b) => b.length - a.length)
  const all = [...new Set(secrets)]
  return (text) => all.reduce((left, secret) => left.replaceAll(secret, '[secret]'), text)
}
