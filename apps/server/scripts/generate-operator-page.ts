import { COMMANDS } from '../src/operator/run-operator.ts'
import { tableOf, writeTables } from './write-tables.ts'

/** Writes the table of docs/reference/operator.md from the commands. */
const rows = Object.entries(COMMANDS).map(([name, { words = '', about }]) => [
  `\`${name}${words && ` ${words}`}\``,
  about,
])

writeTables('operator.md', { commands: tableOf(['command', 'what it does'], rows) })
