import { execFileSync } from 'node:child_process'

/** Returns the newest tag of a version before this commit, such as `v0.2.0`, or `undefined` where there is none. */
export function lastRelease(root: string): string | undefined {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    const here = git('tag', '--points-at', 'HEAD').split('\n')
    const tags = git('tag', '--list', 'v[0-9]*', '--merged', 'HEAD', '--sort=-version:refname').split('\n')
    return tags.find((tag) => tag !== '' && !here.includes(tag))
  } catch {
    return undefined
  }
}
