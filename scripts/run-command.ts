import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'

export interface CommandOptions {
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
  /** `show` hands the terminal on; `keep` collects stdout and stderr for later. */
  readonly output: 'show' | 'keep'
}

export interface CommandResult {
  /** 128 + n where signal n ended it, as a shell says. */
  readonly exitCode: number
  readonly stdout: string
  /** Both streams in the order in which they came. */
  readonly all: string
}

const running = new Set<ChildProcess>()

/** Runs a command to its end. A command that cannot be started ends with exit code 127 and says why. */
export function runCommand(command: string, args: readonly string[], options: CommandOptions): Promise<CommandResult> {
  return new Promise((resolve) => {
    const stdout: Buffer[] = []
    const all: Buffer[] = []
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: options.output === 'show' ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
    })
    running.add(child)
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout.push(chunk)
      all.push(chunk)
    })
    child.stderr?.on('data', (chunk: Buffer) => all.push(chunk))
    child.on('error', (error) => {
      running.delete(child)
      resolve({ exitCode: 127, stdout: '', all: `${command}: ${error.message}\n` })
    })
    child.on('close', (code, signal) => {
      running.delete(child)
      const exitCode = code ?? 128 + constants.signals[signal ?? 'SIGTERM']
      resolve({ exitCode, stdout: Buffer.concat(stdout).toString(), all: Buffer.concat(all).toString() })
    })
  })
}

/** Ends every command that {@link runCommand} has started and that still runs. */
export function endCommands(): void {
  for (const child of running) child.kill('SIGTERM')
}

/**
 * Ends what was started when somebody ends us: first the commands, then `cleanUp`, then this process with the code that
 * a shell gives a process ended by that signal.
 */
export function endOnSignals(cleanUp: () => Promise<void> = async () => {}): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      endCommands()
      void cleanUp().finally(() => process.exit(128 + constants.signals[signal]))
    })
  }
}

/** Seconds since `startedMs` (of `performance.now()`), for a line of progress: `1.2 s`. */
export function secondsSince(startedMs: number): string {
  return `${((performance.now() - startedMs) / 1000).toFixed(1)} s`
}
