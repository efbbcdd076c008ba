import { ConfigError } from '../config/config-error.ts'
import { type Config, loadOwnConfig } from '../load-config.ts'
import { secretRemover } from '../platform/log/secrets.ts'
import { checkChain } from './check-chain.ts'
import { checkDatabase } from './check-database.ts'
import { checkPersons } from './check-persons.ts'
import { checkReplica } from './check-replica.ts'
import type { Check } from './check-result.ts'
import { checkRules } from './check-rules.ts'
import type { OperatorCommand, Outcome } from './command.ts'

export const check: OperatorCommand = {
  about:
    'checks what a start needs, and changes nothing: the whole configuration, the database and its settings, replication, the replica of reads, the owners and persons, the nodes, the vault with its roles and limits, the clocks; exit code 1 if something is wrong',
  async run({ json }) {
    const loaded = await loadOwnConfig().catch((error: unknown) => {
      if (error instanceof ConfigError) return error
      throw error
    })
    if (loaded instanceof ConfigError) return outcomeOf([{ name: 'configuration', faults: loaded.faults }], json)
    const checks = [
      await checkDatabase(loaded),
      ...(await checkReplica(loaded)),
      await checkRules(loaded),
      await checkPersons(loaded),
      ...(await checkChain(loaded)),
    ]
    return outcomeOf([{ name: 'configuration', faults: [] }, ...checks.map(withoutSecrets(loaded))], json)
  },
}

/** An error of a node or the database can contain its address. */
function withoutSecrets({ env }: Config): (check: Check) => Check {
  const redact = secretRemover(env)
  return ({ name, faults, notes = [] }) => ({ name, faults: faults.map(redact), notes })
}

function outcomeOf(checks: readonly Check[], json: boolean): Outcome {
  const isSound = checks.every(({ faults }) => faults.length === 0)
  const lines = checks.flatMap(({ name, faults, notes = [] }) => [
    ...(faults.length === 0 ? [`ok     ${name}`] : faults.map((fault) => `fault  ${name}: ${fault}`)),
    ...notes.map((note) => `note   ${name}: ${note}`),
  ])
  const text = json ? JSON.stringify({ checks }, null, 2) : lines.join('\n')
  return { text, faults: [], exitCode: isSound ? 0 : 1 }
}
