import { NotReady } from '@clearwell/ledger/writer'
import { ChainBehind, ChainDisagreement, ChainFault } from '../chain/chain-fault.ts'
import { nodeErrorOf } from '../chain/node-error.ts'

/** How urgent an alarm is: users wait, a part is limited, or it only needs to be known. */
export type Severity = 'critical' | 'warning'

/** Every kind of alarm: its severity, and what it means for the operator. */
export const ALARMS = {
  watcher_halted: {
    severity: 'critical',
    about:
      'The chain lost a block whose payments are credited, or the ledger has moved to another vault. No payment is booked until an operator acts.',
  },
  insolvent: {
    severity: 'critical',
    about: 'The solvency check failed, could not run, or has passed again. The message says which.',
  },
  unmatched_payout: {
    severity: 'critical',
    about: 'The vault paid without a matching order, or an order was paid without a report.',
  },
  stranded_deposit: {
    severity: 'warning',
    about: 'A vault that the ledger has moved away from received a deposit. The operator moves and credits it.',
  },
  lease_lost: { severity: 'warning', about: 'This server lost the writer lease or could not renew it.' },
  clock_step: { severity: 'critical', about: 'The clock of this server jumped against the clock of the database.' },
  node_disagreement: {
    severity: 'critical',
    about: 'The two nodes contradict each other. Nothing is credited meanwhile.',
  },
  node_fault: {
    severity: 'warning',
    about: 'A node does not respond, lags, or gave a response that no honest node gives.',
  },
  chain_refused: {
    severity: 'critical',
    about:
      'The node came back after a start without it, and its chain is not the one of the configuration. The server uses nothing of that chain.',
  },
  local_chain_exited: { severity: 'critical', about: 'The chain that this server started has exited.' },
  database_away: {
    severity: 'critical',
    about: 'The database closed a connection or left a batch with unknown outcome.',
  },
  asynchronous_standby: {
    severity: 'warning',
    about: 'The database has a standby, and no commit waits for it: a failover can lose what was acknowledged.',
  },
  replica_behind: {
    severity: 'warning',
    about:
      'The replica at `READ_DATABASE_URL` does not answer, has another ledger, or is further behind than `database.replicaLagMs`. Reads go to the primary.',
  },
  connection_budget: {
    severity: 'warning',
    about: 'PostgreSQL allows fewer connections than all servers of the ledger may open.',
  },
  config_differs: {
    severity: 'warning',
    about:
      'This server and the leader have different values of a key of the configuration, or different secrets. Keys whose values are announced in the database do not count.',
  },
  bookkeeper: {
    severity: 'critical',
    about:
      'A bookkeeper refuses a header, or none has signed one for a minute. No header is signed meanwhile. The message has its reason.',
  },
  headers_late: {
    severity: 'critical',
    about:
      'The header that counts is 90 minutes old: the newest one on the vault with exits, or the newest signed one without such a vault. At two hours, the commands of users that change balances are rejected. The message says how old both are.',
  },
  bookkeeper_away: {
    severity: 'warning',
    about:
      'One of the bookkeepers has not answered for a minute. Where another one signs, headers continue, without a spare.',
  },
  roots: {
    severity: 'critical',
    about:
      'No header was posted to the vault for 90 minutes, the vault refuses one, or the account that posts them has gas for less than a week. The message says which.',
  },
  canary: {
    severity: 'warning',
    about:
      'The canary, an account that leaves again and again without the servers, was not paid within a day, or has not asked for its next exit.',
  },
  signer: {
    severity: 'critical',
    about: 'A voucher could not be signed, or a configured limit is above the limit of the vault.',
  },
  pool_stopped: { severity: 'warning', about: 'The check that computes the allowed prices of the pools failed.' },
  job_failed: { severity: 'warning', about: 'A step of a job failed. It runs again later.' },
  command_failed: { severity: 'warning', about: 'A command of the ledger has a bug. Nothing of it was written.' },
  request_failed: { severity: 'warning', about: 'A request failed with code 50000. The log has its trace id.' },
  market_data: {
    severity: 'warning',
    about: 'A source of market prices fails, differs from the others, or has returned.',
  },
  other: { severity: 'warning', about: 'An error without a kind. The message and the log say more.' },
} as const satisfies Record<string, { readonly severity: Severity; readonly about: string }>

export type AlarmKind = keyof typeof ALARMS

/** The kinds by the activity in which an error was reported. */
const BY_TASK: readonly (readonly [RegExp, AlarmKind])[] = [
  [/^watcher halted$/, 'watcher_halted'],
  [/^solvency$/, 'insolvent'],
  [/^withdrawals$/, 'unmatched_payout'],
  [/^stranded deposit$/, 'stranded_deposit'],
  [/^writer lease/, 'lease_lost'],
  [/^clock/, 'clock_step'],
  [/^chain refused$/, 'chain_refused'],
  [/^local chain$/, 'local_chain_exited'],
  [/^(database connection|time of the database|batch with unknown outcome)$/, 'database_away'],
  [/^replication$/, 'asynchronous_standby'],
  [/^replica$/, 'replica_behind'],
  [/^connection budget$/, 'connection_budget'],
  [/^configuration$/, 'config_differs'],
  [/^(signer$|withdrawal )/, 'signer'],
  [/^bookkeeper$/, 'bookkeeper'],
  [/^header age$/, 'headers_late'],
  [/^bookkeeper away$/, 'bookkeeper_away'],
  [/^roots$/, 'roots'],
  [/^canary$/, 'canary'],
  [/^pools$/, 'pool_stopped'],
  [/^job /, 'job_failed'],
  [/^(command |batch )/, 'command_failed'],
  [/^request/, 'request_failed'],
  [/^(asking|messages of|the (stream|clock|feeds?) of) /, 'market_data'],
]

/** Finds the kind of a reported error: by the class of a node's error, else by the activity. */
export function alarmKindOf(error: unknown, task: string): AlarmKind {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof ChainDisagreement) return 'node_disagreement'
  if (error instanceof NotReady) return 'database_away'
  const [, kind] = BY_TASK.find(([pattern]) => pattern.test(task)) ?? []
  const isNode = error instanceof ChainFault || error instanceof ChainBehind || nodeErrorOf(error) !== undefined
  // A check that the nodes prevented is reported as such.
  if (isNode && (kind === undefined || kind === 'request_failed')) return 'node_fault'
  return kind ?? 'other'
}
