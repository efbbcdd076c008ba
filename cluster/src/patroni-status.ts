import type { Layout, Machine } from './layout.ts'

/** The database of one machine, as Patroni sees it. */
export interface Member {
  readonly name: string
  readonly role: 'leader' | 'sync_standby' | 'replica' | 'unknown'
  readonly state: string
  /** Bytes of log that it is behind; undefined for the leader, and where Patroni does not know. */
  readonly lagBytes: number | undefined
}

const ASK_MS = 1_500

/** Asks the machines for the state of all databases, and takes the first response. Empty where no machine responds. */
export async function membersOf(layout: Layout): Promise<readonly Member[]> {
  try {
    return await Promise.any(layout.machines.map((machine) => askMembers(layout, machine)))
  } catch {
    return []
  }
}

async function askMembers({ ports }: Layout, { address }: Machine): Promise<readonly Member[]> {
  const response = await fetch(`http://${address}:${ports.patroni}/cluster`, { signal: AbortSignal.timeout(ASK_MS) })
  return parseMembers(await response.text())
}

/** Parses the response of Patroni's `GET /cluster`. */
export function parseMembers(text: string): Member[] {
  const { members } = JSON.parse(text) as { readonly members: readonly Record<string, unknown>[] }
  return members.map(({ name, role, state, lag }) => ({
    name: String(name),
    role: role === 'leader' || role === 'sync_standby' || role === 'replica' ? role : 'unknown',
    state: String(state),
    lagBytes: typeof lag === 'number' ? lag : undefined,
  }))
}

/** Returns whether this machine's database takes writes now, as HAProxy asks. */
export async function isPrimary(layout: Layout, machine: Machine): Promise<boolean> {
  try {
    const url = `http://${machine.address}:${layout.ports.patroni}/primary`
    return (await fetch(url, { signal: AbortSignal.timeout(ASK_MS) })).status === 200
  } catch {
    return false
  }
}
