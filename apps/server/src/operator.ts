import { ConfigError } from './config/config.ts'
import { DataFolderInUse } from './database/data-folder-lock.ts'
import { audit } from './operator/audit.ts'
import { breaker } from './operator/breaker.ts'
import type { OperatorCommand } from './operator/command.ts'
import { reconcile } from './operator/reconcile.ts'

/** `npm run operator -- <command> [--json]`: the operator's side, on the server's own machine. */
const COMMANDS: Readonly<Record<string, OperatorCommand>> = { audit, reconcile, breaker }

const [name = '', ...options] = process.argv.slice(2)
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
if (command && options.every((option) => option === '--json')) process.exitCode = await run(command)
else {
  for (const [each, { about }] of Object.entries(COMMANDS)) console.error(`npm run operator -- ${each}: ${about}`)
  console.error('With --json any of them answers JSON.')
  process.exitCode = 2
}

async function run(asked: OperatorCommand): Promise<number> {
  try {
    const { text, faults, exitCode } = await asked.run({ json: options.length > 0 })
    if (text !== '') console.log(text)
    for (const fault of faults) console.error(fault)
    return exitCode
  } catch (error) {
    if (!(error instanceof ConfigError) && !(error instanceof DataFolderInUse)) throw error
    console.error(error.message)
    return 1
  }
}
