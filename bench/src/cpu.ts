import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

const TICK_US = 10_000

/** Processor time of this thread so far, which PGlite shares. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/**
 * Returns the processor time so far of this thread or of a process with one thread, such as PostgreSQL has for a connection. Exact
 * to the nanosecond, so it can measure one batch. NaN where the system does not report it.
 */
export function exactCpuMs(of: 'thread' | number): number {
  try {
    const [ranNs] = readFileSync(`/proc/${of === 'thread' ? 'thread-self' : of}/schedstat`, 'utf8').split(' ')
    return Number(ranNs) / 1_000_000
  } catch {
    return Number.NaN
  }
}

/** Returns the CPU time of a process so far, in whole ticks of 10 ms; NaN where the system does not report it. */
export async function cpuUs(pid: number): Promise<number> {
  const stat = await statOf(pid)
  return stat ? (stat.user + stat.system) * TICK_US : Number.NaN
}

/** The same of a process with all its children, those that have ended among them. */
export async function treeCpuUs(pid: number): Promise<number> {
  const root = await statOf(pid)
  if (!root) return Number.NaN
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const stats = await Promise.all(pids.map(statOf))
  const own = root.user + root.system + root.endedChildren
  const children = stats.filter((stat) => stat?.parent === pid)
  return children.reduce((sum, stat) => sum + (stat ? stat.user + stat.system : 0), own) * TICK_US
}

/** The process that a process was started by. */
export async function parentOf(pid: number): Promise<number> {
  return (await statOf(pid))?.parent ?? 0
}

async function statOf(pid: number) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  // The name of the program is in parentheses, and may hold anything.
  const fields = text
    ?.slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  if (!fields) return undefined
  const [, parent = 0, , , , , , , , , , user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields
  return { parent, user, system, endedChildren: endedUser + endedSystem }
}
