/**
 * Tests by whole servers, processes and backups whose parts have shorter tests, with the part of `npm run nightly` that runs each.
 * `npm test` leaves them out; `npm run test:one` runs one of them.
 */
export const AT_NIGHT: Readonly<Record<string, string>> = {
  'apps/server/src/operator/move-exit-vault.test.ts': 'long',
  'bookkeeper/src/restore-drill.test.ts': 'long',
  'scripts/recipes.test.ts': 'recipes',
  'sim/src/drills/drills.test.ts': 'drills',
  'sim/src/leave/real-servers.test.ts': 'leave',
  'sim/src/proxy/rolling-restart.test.ts': 'restarts',
  'sim/src/restore-own-tools.test.ts': 'long',
  'sim/src/restore.test.ts': 'long',
  'sim/src/withdrawal-kill.test.ts': 'kills',
  'watch/src/canary/canary.test.ts': 'long',
}

/** True in the night, and for one file that was asked for. */
const isAsked = process.env.NIGHTLY === '1' || process.env.TEST_ONE === '1'

/** The tests below a folder that this run leaves to the night. Their paths begin in that folder. */
export function leftToNight(folder: string): string[] {
  const paths = isAsked ? [] : Object.keys(AT_NIGHT)
  return paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1))
}
