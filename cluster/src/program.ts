import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Of etcd and Patroni on a machine that is busy with something else. A member that waits for a processor loses its lease. */
const URGENT = -10

export interface ProgramOptions {
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Receives stdout and stderr. */
  readonly logFile: string
  /** A network namespace. */
  readonly namespace?: string | undefined
  /** Another user, where this runs as root. */
  readonly user?: User | undefined
  /** Before other programs, where this runs as root. */
  readonly isUrgent?: boolean
}

export interface User {
  readonly uid: number
  readonly gid: number
}

export interface Program {
  readonly pid: number
  readonly logFile: string
  hasEnded(): boolean
  signal(name: NodeJS.Signals): void
  /** Sends a signal, and SIGKILL where it has no effect in time. Resolves when the program is gone. */
  end(name?: NodeJS.Signals, withinMs?: number): Promise<void>
}

/** Starts a program that the system ends with this process, also when this one is killed. */
export function startProgram(options: ProgramOptions): Program {
  const { command, env, cwd, logFile, namespace, user, isUrgent } = options
  const inside = namespace === undefined ? [] : ['nsenter', `--net=/run/netns/${namespace}`, '--']
  const asUser = user === undefined ? [] : [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
  const [name = '', ...args] = [...inside, 'setpriv', '--pdeathsig=TERM', ...asUser, '--', ...command]
  const log = openSync(logFile, 'a')
  const child = spawn(name, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', log, log] })
  closeSync(log)
  child.on('error', () => {})
  if (isUrgent && child.pid !== undefined && process.getuid?.() === 0) setPriority(child.pid, URGENT)
  const gone = once(child, 'close')
  gone.catch(() => {})
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined
  return {
    pid: child.pid ?? 0,
    logFile,
    hasEnded,
    signal: (signal) => child.kill(signal),
    async end(signal = 'SIGTERM', withinMs = 10_000) {
      if (hasEnded()) return
      child.kill(signal)
      // A stopped program takes no other signal.
      child.kill('SIGCONT')
      const impatience = setTimeout(() => child.kill('SIGKILL'), withinMs)
      await gone.catch(() => {})
      clearTimeout(impatience)
    },
  }
}

/** Waits until `isDone` returns true. @param signal gives up. @throws Error that says what did not happen in time. */
export async function until(
  about: string,
  isDone: () => Promise<boolean> | boolean,
  {
    withinMs,
    everyMs = 200,
    signal,
  }: { readonly withinMs: number; readonly everyMs?: number; readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const deadlineMs = performance.now() + withinMs
  while (!(await isDone())) {
    if (performance.now() > deadlineMs) throw new Error(`${about} did not happen in ${withinMs / 1_000} s`)
    await wait(everyMs, undefined, { signal })
  }
}

/** The end of a program's log, for an error message. */
export async function tailOf(logFile: string): Promise<string> {
  const text = await readFile(logFile, 'utf8').catch(() => '')
  return text.split('\n').slice(-15).join('\n')
}

/** A process and all that it has started. */
export async function familyOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const children = text
    .split(' ')
    .filter((word) => word.trim() !== '')
    .map(Number)
  return [pid, ...(await Promise.all(children.map(familyOf))).flat()]
}

/** Sends a signal to processes, of which some may be gone. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended.
    }
  }
}

/** False also for a process that has ended and that its parent has not asked for yet. */
export async function isAlive(pid: number): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text !== '' && !/\) [ZX] /.test(text)
}

/** A certificate of all machines that is its own authority, in the two files of the layout. */
export async function createCertificate(
  folder: string,
  { name, addresses }: { readonly name: string; readonly addresses: readonly string[] },
): Promise<void> {
  const names = [`DNS:${name}`, 'DNS:localhost', ...addresses.map((address) => `IP:${address}`)]
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${names.join(',')}`]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30']
  const files = ['-keyout', `${folder}/key.pem`, '-out', `${folder}/certificate.pem`]
  await run('openssl', ['req', '-x509', ...curve, ...files, ...subject])
}
