/**
 * Reads keys of the release before this one as their successors. During an upgrade, servers of both releases read the same
 * file. Each translation can be deleted one release later.
 *
 * 0.2.0 had `operator.termsUrl`, a page without a version. It becomes the version `1` of `operator.terms`, which users accept
 * once more.
 */
export function readEarlierKeys(file: unknown): unknown {
  if (!isObject(file) || !isObject(file.operator) || !('termsUrl' in file.operator)) return file
  const { termsUrl: url, ...operator } = file.operator
  const terms = url === null ? null : { version: '1', url }
  return { ...file, operator: { terms, ...operator } }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
