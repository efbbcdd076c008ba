import { execFileSync } from 'node:child_process'

/** The origin of a build. It is the same for each build of a commit. */
export interface BuildInfo {
  /** The commit's hash, with `+changes` where files differ from it. */
  readonly commit: string
  /** The time of the commit in ISO 8601. */
  readonly committedAt: string
}

/**
 * Reads the origin from Git. Without a repository, as in a container, it is in `CLEARWELL_COMMIT` and `CLEARWELL_COMMITTED_AT`.
 *
 * @throws Error where neither says it.
 */
export function readBuildInfo(root: string, variables: NodeJS.ProcessEnv = process.env): BuildInfo {
  const { CLEARWELL_COMMIT, CLEARWELL_COMMITTED_AT } = variables
  if (CLEARWELL_COMMIT && CLEARWELL_COMMITTED_AT)
    return { commit: CLEARWELL_COMMIT, committedAt: CLEARWELL_COMMITTED_AT }
  try {
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
    const [commit = '', seconds = ''] = git('log', '-1', '--format=%H %ct').split(' ')
    const changes = git('status', '--porcelain') === '' ? '' : '+changes'
    return { commit: commit + changes, committedAt: new Date(Number(seconds) * 1000).toISOString() }
  } catch {
    throw new Error('There is no Git repository here. Set CLEARWELL_COMMIT and CLEARWELL_COMMITTED_AT.')
  }
}
