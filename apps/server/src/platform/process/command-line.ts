import { BUILD } from './version.ts'

/** The words that start a program of the operator, as a shell takes them: a release has no npm scripts. */
export function commandLine(program: 'operator' | 'vault'): string {
  return BUILD.commit === 'source' ? `npm run ${program} --` : `node ${program}.js`
}
