import { runOperator } from './operator/run-operator.ts'

/** `npm run operator -- <command> [--json]`: the operator's side, on the server's own machine. */
process.exitCode = await runOperator(process.argv.slice(2), console)
