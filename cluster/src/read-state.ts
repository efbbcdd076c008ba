import type { Layout, Machine } from './layout.ts'
import { type Member, membersOf } from './patroni-status.ts'

/** One machine in the live table. */
export interface MachineState {
  readonly name: string
  readonly address: string
  readonly database: Member | undefined
  /** `ready`, what fails, or `away`. */
  readonly server: string
  /** Holds the lease of the ledger's writer. */
  readonly isWriter: boolean
}

export interface ClusterState {
  readonly machines: readonly MachineState[]
  /** Commands in committed batches since the servers started; a server that ended takes its count with it. */
  readonly commands: number
}

const ASK_MS = 1_500

export async function readState(layout: Layout): Promise<ClusterState> {
  const members = membersOf(layout)
  const readings = await Promise.all(layout.machines.map((machine) => readServer(layout, machine)))
  const databases = new Map((await members).map((member) => [member.name, member]))
  return {
    machines: layout.machines.map(({ name, address }, index) => ({
      name,
      address,
      database: databases.get(name),
      server: readings[index]?.server ?? 'away',
      isWriter: readings[index]?.isWriter ?? false,
    })),
    commands: readings.reduce((sum, { commands }) => sum + commands, 0),
  }
}

async function readServer({ ports }: Layout, { address }: Machine) {
  try {
    const ask = async (url: string) => {
      const response = await fetch(url, { signal: AbortSignal.timeout(ASK_MS) })
      return response.text()
    }
    const metrics = parseMetrics(await ask(`http://${address}:${ports.metrics}/metrics`))
    const failing = metrics.notReady
    return { ...metrics, server: failing.length === 0 ? 'ready' : `not ready: ${failing.join(', ')}` }
  } catch {
    return { server: 'away', isWriter: false, commands: 0 }
  }
}

/** Reads the figures of the table from a server's metrics. */
export function parseMetrics(text: string) {
  const readNumber = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0)
  return {
    isWriter: readNumber('clearwell_writer_leader') === 1,
    commands: readNumber('clearwell_writer_batch_commands_sum'),
    notReady: [...text.matchAll(/^clearwell_ready\{part="([^"]+)"\} 0$/gm)].map(([, part = '']) => part),
  }
}
