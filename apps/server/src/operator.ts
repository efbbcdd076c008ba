import { ConfigError } from './config/config-error.ts'
import { alarms } from './operator/alarms.ts'
import { audit } from './operator/audit.ts'
import { breaker } from './operator/breaker.ts'
import type { OperatorCommand } from './operator/command.ts'
import { pools } from './operator/pools.ts'
import { reconcile } from './operator/reconcile.ts'
import { DataFolderInUse } from './platform/database/data-folder-lock.ts'

/** `npm run operator -- <command> [--json]`: the operator's side, on the server's own machine. */
const COMMANDS: Readonly<Record<string, OperatorCommand>> = { alarms, audit, reconcile, breaker, pools }

const [name = '', ...rest] = process.argv.slice(2)
const json = rest.includes('--json')
const words = rest.filter((each) => each !== '--json')
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
const isUnderstood = command && (words.length === 0 || command.words) && !words.some((each) => each.startsWith('--'))
process.exitCode = (isUnderstood ? await run(command) : undefined) ?? usage()

function usage(): number {
  for (const [each, { about, words = '' }] of Object.entries(COMMANDS))
    console.error(`npm run operator -- ${each}${words && ` ${words}`}: ${about}`)
  console.error('Add --json to any command to print JSON.')
  return 2
}

async function run(asked: OperatorCommand): Promise<number | undefined> {
  try {
    const outcome = await asked.run({ json, words })
    if (!outcome) return undefined
    if (outcome.text !== '') console.log(outcome.text)
    for (const fault of outcome.faults) console.error(fault)
    return outcome.exitCode
  } catch (error) {
    if (!(error instanceof ConfigError) && !(error instanceof DataFolderInUse)) throw error
    console.error(error.message)
    return 1
  }
}
