import { randomInt } from 'node:crypto'
import type { Clock } from '../../platform/time/clock.ts'
import { repeat } from '../../platform/time/repeat.ts'
import type { TeamStore } from './team.store.ts'
import { TeamTree } from './team-tree.ts'

const EVERY_MS = 2_000
/** Rows of one read: few enough that other requests never wait long for the event loop. */
const PER_READ = 4_000
/** Numbers that were given out and are not in the table: their transactions may commit later, or never. */
const MAX_MISSING = 10_000
/** No transaction of a sign-in takes longer. */
const MISSING_MS = 60_000

export interface FollowedTeam {
  /** Returns the tree with everyone who had joined, or was activated, before the call. */
  current(): Promise<TeamTree>
  start(): void
  stop(): Promise<void>
}

/**
 * Keeps this server's tree of invitations up to date with the database. The first run reads all members; later ones read
 * what was added since.
 */
export function followTeam({
  store,
  clock,
  perRead = PER_READ,
  onError,
}: {
  readonly store: Pick<TeamStore, 'membersAfter' | 'members' | 'activationsAfter' | 'departuresAfter'>
  readonly clock: Clock
  readonly perRead?: number
  readonly onError: (error: unknown) => void
}): FollowedTeam {
  const tree = new TeamTree(randomInt(2 ** 31))
  /** When each missing number was found missing. */
  const missing = new Map<number, number>()
  let lastNumber = 0
  let next: Promise<void> | undefined
  const nowMs = () => clock.now().getTime()
  const readActivations = readsNumbers(store.activationsAfter, perRead, (numbers) => tree.activate(numbers))
  const readDepartures = readsNumbers(store.departuresAfter, perRead, (numbers) => tree.leave(numbers))

  async function run(): Promise<void> {
    // Requests from here on need another run.
    next = undefined
    // Members after the activations: everyone who was activated is in the table by then.
    await readActivations()
    await readMembers()
    await readMissing()
    // Departures last: everyone who departed has been read by then, or never is.
    await readDepartures()
  }

  async function readMembers(): Promise<void> {
    await readPages(perRead, async (limit) => {
      const rows = await store.membersAfter(lastNumber, limit)
      for (const { number } of rows) {
        for (let each = Math.max(lastNumber + 1, number - MAX_MISSING); each < number; each++)
          missing.set(each, nowMs())
        lastNumber = number
      }
      tree.join(rows)
      return rows.length
    })
  }

  async function readMissing(): Promise<void> {
    const since = nowMs() - MISSING_MS
    for (const [number, foundMs] of missing) if (foundMs < since) missing.delete(number)
    if (missing.size === 0) return
    const found = await store.members([...missing.keys()].slice(-MAX_MISSING))
    for (const { number } of found) missing.delete(number)
    tree.join(found)
  }

  const timer = repeat({ run, everyMs: EVERY_MS, onError })
  return {
    async current() {
      next ??= timer.now()
      await next
      return tree
    },
    start: timer.start,
    stop: timer.stop,
  }
}

/** Creates a function that reads the members which a list named since its last call. */
function readsNumbers(
  after: (number: number, limit: number) => Promise<readonly { readonly number: number; readonly member: number }[]>,
  perRead: number,
  use: (members: number[]) => void,
): () => Promise<void> {
  let last = 0
  return () =>
    readPages(perRead, async (limit) => {
      const rows = await after(last, limit)
      use(rows.map(({ member }) => member))
      last = rows.at(-1)?.number ?? last
      return rows.length
    })
}

/** Reads page after page, until one is not full. `read` returns how many rows it read. */
async function readPages(limit: number, read: (limit: number) => Promise<number>): Promise<void> {
  while ((await read(limit)) === limit);
}
