import { runCommand } from './run-command.ts'

/** The commit of a repository; a plus says that files differ from it. @param written by the command itself, so they do not count. */
export async function readCommit(root: string, written: string): Promise<string> {
  const git = (...args: string[]) => runCommand('git', args, { cwd: root, output: 'keep' })
  const { stdout } = await git('rev-parse', '--short=8', 'HEAD')
  const changes = await git('status', '--porcelain', '--', '.', `:!${written}`)
  return stdout.trim() + (changes.stdout === '' ? '' : '+')
}
