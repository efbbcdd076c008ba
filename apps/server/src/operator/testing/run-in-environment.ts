import { vi } from 'vitest'
import { runOperator } from '../run-operator.ts'

/** The output of a command, and its exit code. */
export interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs an operator command in this process, which saves the start of another, with these environment variables. */
export async function runInEnvironment(
  variables: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<CommandResult> {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
  let stdout = ''
  let stderr = ''
  try {
    const code = await runOperator(args, {
      log: (text) => {
        stdout += `${text}\n`
      },
      error: (text) => {
        stderr += `${text}\n`
      },
    })
    return { code, stdout, stderr }
  } finally {
    vi.unstubAllEnvs()
  }
}
