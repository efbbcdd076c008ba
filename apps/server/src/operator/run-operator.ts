import { ConfigError } from '../config/config-error.ts'
import { DataFolderInUse } from '../platform/database/data-folder-lock.ts'
import { commandLine } from '../platform/process/command-line.ts'
import { actions } from './actions.ts'
import { alarms } from './alarms.ts'
import { archive } from './archive.ts'
import { audit } from './audit.ts'
import { breaker } from './breaker.ts'
import { check } from './check.ts'
import { type OperatorCommand, readArguments } from './command.ts'
import { exportBooks } from './export.ts'
import { freeze, unfreeze } from './freeze.ts'
import { insurance } from './insurance.ts'
import { lending } from './lending.ts'
import { payouts } from './payouts.ts'
import { persons } from './persons.ts'
import { pools } from './pools.ts'
import { proofKeys } from './proof-keys.ts'
import { reconcile } from './reconcile.ts'
import { approve, refuse, requests } from './requests.ts'
import { restoreFromBookkeeper } from './restore-from-bookkeeper.ts'
import { rules } from './rules.ts'
import { sessions } from './sessions.ts'
import { treasury } from './treasury.ts'
import { tx } from './tx.ts'
import { uids } from './uids.ts'
import { upgrades } from './upgrades.ts'
import { user } from './user.ts'
import { vault } from './vault.ts'
import { watcher } from './watcher.ts'

/** Every command, as docs/reference/operator.md lists them. */
export const COMMANDS: Readonly<Record<string, OperatorCommand>> = {
  check,
  alarms,
  audit,
  reconcile,
  breaker,
  actions,
  persons,
  requests,
  approve,
  refuse,
  watcher,
  vault,
  treasury,
  insurance,
  payouts,
  pools,
  lending,
  rules,
  upgrades,
  uids,
  user,
  tx,
  export: exportBooks,
  archive,
  'proof-keys': proofKeys,
  'restore-from-bookkeeper': restoreFromBookkeeper,
  sessions,
  freeze,
  unfreeze,
}

/** Where a command writes its result and its faults. */
export interface Output {
  readonly log: (text: string) => void
  readonly error: (text: string) => void
}

/**
 * Runs a command of the operator's command line.
 *
 * @param args the command's name and its arguments.
 * @returns the exit code.
 */
export async function runOperator([name = '', ...rest]: readonly string[], output: Output): Promise<number> {
  if ([name, ...rest].some((each) => each === '--help' || each === '-h')) return printHelp(output, name)
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  const args = command && readArguments(command, rest)
  if (!command || !args) return printUsage(output)
  try {
    const outcome = await command.run(args)
    if (!outcome) return printUsage(output)
    if (outcome.text !== '') output.log(outcome.text)
    for (const fault of outcome.faults) output.error(fault)
    return outcome.exitCode
  } catch (error) {
    if (!(error instanceof ConfigError) && !(error instanceof DataFolderInUse)) throw error
    output.error(error.message)
    return 1
  }
}

function printUsage({ error }: Output): number {
  for (const line of usage()) error(line)
  return 2
}

/** Prints the usage of the named command, or of all. */
function printHelp({ log }: Output, name: string): number {
  for (const line of usage(Object.hasOwn(COMMANDS, name) ? name : undefined)) log(line)
  return 0
}

function usage(only?: string): string[] {
  return [
    ...Object.entries(COMMANDS)
      .filter(([name]) => only === undefined || name === only)
      .map(([name, { about, words = '' }]) => `${commandLine('operator')} ${name}${words && ` ${words}`}: ${about}`),
    'Commands with --execute only show their effect without it. Add --json to any command to print JSON.',
  ]
}
