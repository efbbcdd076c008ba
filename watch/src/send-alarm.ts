import { spawn } from 'node:child_process'
import type { Alarm } from './alarm-book.ts'

const WEBHOOK_MS = 10_000
const COMMAND_MS = 60_000

/** Posts the alarm as JSON. @throws Error unless the response is a success. */
export async function postAlarm(url: string, alarm: Alarm): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(alarm),
    signal: AbortSignal.timeout(WEBHOOK_MS),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the webhook responded ${response.status}`)
}

/** Runs a command by the shell, with the alarm as JSON on its input. @throws Error unless it exits with 0. */
export async function runOnAlarm(command: string, alarm: Alarm): Promise<void> {
  const child = spawn(command, { shell: true, stdio: ['pipe', 'ignore', 'inherit'], timeout: COMMAND_MS })
  // A command that does not read its input is fine.
  child.stdin.on('error', () => {})
  child.stdin.end(`${JSON.stringify(alarm)}\n`)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`the command exited with ${code}`)
}
