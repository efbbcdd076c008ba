import manifest from '../../../package.json' with { type: 'json' }

/** Written into the bundle by scripts/release/bundle-server.ts, and absent where the server runs from its sources. */
declare const CLEARWELL_BUILD: { readonly commit: string; readonly committedAt: string } | undefined

/** The version of this server, as its package names it. */
export const VERSION: string = manifest.version

/** The commit that a release was built from, and its time. Both are `source` where the server runs from its sources. */
export const BUILD =
  typeof CLEARWELL_BUILD === 'undefined' ? { commit: 'source', committedAt: 'source' } : CLEARWELL_BUILD
