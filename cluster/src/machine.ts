import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { etcdConfig } from './etcd-config.ts'
import { haproxyConfig } from './haproxy-config.ts'
import type { Layout, Machine } from './layout.ts'
import type { Programs } from './packages.ts'
import { patroniConfig } from './patroni-config.ts'
import { familyOf, isAlive, type Program, signalAll, startProgram, tailOf, type User, until } from './program.ts'

export type ProgramName = 'etcd' | 'patroni' | 'haproxy' | 'server'

const MAIN = join(import.meta.dirname, '../../apps/server/src/main.ts')
const READY_MS = 90_000

export interface MachineOptions {
  readonly layout: Layout
  readonly machine: Machine
  readonly folder: string
  readonly programs: Programs
  readonly user: User | undefined
  readonly namespace: string | undefined
  /** Passwords of PostgreSQL, as Patroni takes them. */
  readonly secrets: Readonly<Record<string, string>>
  /** The environment of Clearwell's server. */
  readonly serverEnv: Readonly<Record<string, string>>
  /** The server serves the web app too. */
  readonly withApp: boolean
  /** Gives up waiting for a server. */
  readonly signal: AbortSignal | undefined
}

/** One machine of a local cluster: its programs are processes that can be ended, hung and started again. */
export interface LocalMachine {
  readonly machine: Machine
  readonly folder: string
  /** Writes the configuration and makes the folders. */
  prepare(): Promise<void>
  /** Waits until a server is ready; the other programs may still be starting. */
  start(name: ProgramName): Promise<void>
  /** Ends a program in an orderly way. Patroni stops PostgreSQL too. */
  stop(name: ProgramName): Promise<void>
  /** SIGKILL for every program of the machine, and PostgreSQL with its processes, or for some of them. */
  kill(names?: readonly ProgramName[]): Promise<void>
  /** SIGSTOP or SIGCONT for every process of the machine, or of some programs. */
  signal(name: NodeJS.Signals, names?: readonly ProgramName[]): Promise<void>
  isRunning(name: ProgramName): boolean
}

const ALL: readonly ProgramName[] = ['server', 'haproxy', 'patroni', 'etcd']

export function localMachine(options: MachineOptions): LocalMachine {
  const { layout, machine, folder } = options
  const running = new Map<ProgramName, Program>()
  const data = layout.paths(machine).postgres

  /** PostgreSQL detaches itself from Patroni, and goes on without it. */
  async function postmaster(): Promise<number | undefined> {
    const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
    const pid = Number(text.split('\n')[0])
    if (!Number.isInteger(pid) || pid <= 1) return undefined
    // The number may belong to another process by now.
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return command.includes(data) ? pid : undefined
  }

  async function pidsOf(names: readonly ProgramName[]): Promise<number[]> {
    const pids = names.flatMap((name) => running.get(name)?.pid ?? [])
    const database = names.includes('patroni') ? await postmaster() : undefined
    return (await Promise.all([...pids, ...(database === undefined ? [] : [database])].map(familyOf))).flat()
  }

  return {
    machine,
    folder,
    prepare: () => prepare(options),
    isRunning: (name) => running.get(name)?.hasEnded() === false,
    async start(name) {
      if (running.get(name)?.hasEnded() === false) throw new Error(`${name} of ${machine.name} runs already`)
      if (name === 'server') await rm(join(folder, 'server.log'), { force: true })
      const program = startProgram(commandOf(name, options))
      running.set(name, program)
      if (name === 'server') await untilReady(program, options.signal)
    },
    async stop(name) {
      await running.get(name)?.end()
      const left = name === 'patroni' ? await postmaster() : undefined
      if (left !== undefined) await endDatabase(left)
    },
    async kill(names = ALL) {
      const pids = await pidsOf(names)
      signalAll(pids, 'SIGKILL')
      await Promise.all(names.map((name) => running.get(name)?.end('SIGKILL')))
      await until(`the end of ${machine.name}`, async () => !(await Promise.all(pids.map(isAlive))).includes(true), {
        withinMs: 10_000,
        everyMs: 20,
      })
    },
    async signal(name, names = ALL) {
      signalAll(await pidsOf(names), name)
    },
  }
}

async function prepare({ layout, machine, folder, user }: MachineOptions): Promise<void> {
  const paths = layout.paths(machine)
  for (const each of [folder, join(folder, 'disk'), paths.etcd]) {
    await mkdir(each, { recursive: true, mode: 0o700 })
    if (user) await chown(each, user.uid, user.gid)
  }
  // Patroni's watchdog would restart this machine.
  const patroni = patroniConfig(layout, machine).replace('mode: automatic', 'mode: "off"')
  const files = {
    'etcd.yml': etcdConfig(layout, machine),
    'patroni.yml': patroni,
    'haproxy.cfg': withOneName(haproxyConfig(layout, machine), layout),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
}

/**
 * The local profile serves one name alone, and here browsers and servers reach each machine by its address. Real machines have
 * one public name, and another profile.
 */
function withOneName(config: string, { machines, ports }: Layout): string {
  const shown = `${machines[0]?.address}:${ports.clients}`
  const any = `(${machines.map(({ address }) => address).join('|')}):(${ports.clients}|${ports.peer})`
  const lines = [
    `  http-request set-header Host ${shown} if { req.hdr(Host) -m reg ^${any}$ }`,
    `  http-request replace-header Origin ^https://${any}$ https://${shown}`,
  ].join('\n')
  return config.replaceAll(/^(frontend \w+\n {2}mode http\n)/gm, `$1${lines}\n`)
}

function commandOf(name: ProgramName, options: MachineOptions) {
  const { programs, secrets, serverEnv, folder, namespace, user, withApp } = options
  const at = { cwd: folder, logFile: join(folder, `${name}.log`), namespace, isUrgent: name !== 'server' }
  const file = (config: string) => join(folder, config)
  switch (name) {
    case 'etcd':
      return {
        ...at,
        user,
        command: [programs.etcd, '--config-file', file('etcd.yml')],
        env: { ETCD_UNSUPPORTED_ARCH: 'arm64' },
      }
    case 'patroni':
      return { ...at, user, command: [...programs.patroni, file('patroni.yml')], env: { ...programs.env, ...secrets } }
    case 'haproxy':
      return { ...at, user, command: [programs.haproxy, '-db', '-f', file('haproxy.cfg')], env: programs.env }
    case 'server': {
      const flags = withApp ? [] : ['--dev']
      return { ...at, command: [process.execPath, '--max-semi-space-size=64', MAIN, ...flags], env: serverEnv }
    }
  }
}

async function untilReady(server: Program, signal: AbortSignal | undefined): Promise<void> {
  const isReady = async () => {
    if (server.hasEnded()) throw new Error(`the server ended:\n${await tailOf(server.logFile)}`)
    return /^ready \S+$/m.test(await readFile(server.logFile, 'utf8').catch(() => ''))
  }
  await until('the start of a server', isReady, { withinMs: READY_MS, signal })
}

/** SIGQUIT is PostgreSQL's immediate stop: it needs no checkpoint. */
async function endDatabase(pid: number): Promise<void> {
  const pids = await familyOf(pid)
  signalAll(pids, 'SIGCONT')
  signalAll([pid], 'SIGQUIT')
  for (let turn = 0; turn < 50 && (await isAlive(pid)); turn++) await wait(100)
  signalAll(pids, 'SIGKILL')
}
