import type { ServerList } from './server-list.ts'

/** A leader that was just found is asked without looking it up again for this long. */
const KNOWN_MS = 1_000

/** Finds the leader, and remembers where it is. */
export interface RememberedLeader extends Pick<ServerList, 'writer'> {
  /** The next command looks the leader up. For one that did not respond, or is no longer the leader. */
  forget(): void
}

/**
 * Looks the leader up once for many commands. A server that no longer leads refuses what is sent to it, so a leader that is remembered too long
 * costs one more attempt.
 */
export function rememberLeader(
  servers: Pick<ServerList, 'writer'>,
  nowMs: () => number = () => performance.now(),
): RememberedLeader {
  /** By the path of the call. */
  const known = new Map<string, { readonly leader: ReturnType<ServerList['writer']>; readonly atMs: number }>()
  return {
    async writer(call = '') {
      const last = known.get(call)
      if (last && nowMs() - last.atMs < KNOWN_MS) return last.leader
      const leader = servers.writer(call)
      const entry = { leader, atMs: nowMs() }
      known.set(call, entry)
      const isFound = await leader.then(
        (found) => found?.takesCall === true,
        () => false,
      )
      if (!isFound && known.get(call) === entry) known.delete(call)
      return leader
    },
    forget: () => known.clear(),
  }
}
