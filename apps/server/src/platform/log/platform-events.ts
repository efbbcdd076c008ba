import { defineEvents } from './define-events.ts'

const REPEATS =
  'how often it was raised since the line before. Repetitions have one line in five minutes, or one for each request'

/** The events of the platform. Features add theirs in their manifests. */
export const platformEvents = defineEvents({
  server_starting: {
    level: 'info',
    text: 'the server starts',
    fields: {
      profile: 'the profile',
      role: 'what the server does: `all`, `web` or `writer`',
      commit: 'the commit that the release was built from, or `source` where the server runs from its sources',
      committed_at: 'the time of that commit, or `source`',
      node: 'the version of Node.js',
      config: 'a hash of the configuration file’s values: servers of one ledger must have the same',
    },
  },
  database_opened: { level: 'info', text: 'the database is open', fields: { database: '`postgres` or `pglite`' } },
  migrations_run: {
    level: 'info',
    text: 'migrations have changed the schema',
    fields: { names: 'their names, in the order in which they ran' },
  },
  replication_read: {
    level: 'info',
    text: 'how the database is replicated: at the start, and when it changes',
    fields: { standbys: 'the connected standbys', is_synchronous: 'whether commits wait for a standby' },
  },
  chain_opened: {
    level: 'info',
    text: 'a node has answered, and the chain is the one of the configuration',
    fields: { chain_id: 'its id', vault: 'the address of the vault' },
  },
  lease_taken: { level: 'info', text: 'this server is the leader: it writes the ledger' },
  lease_lost: {
    level: 'warn',
    text: 'this server is no longer the leader, and follows',
    fields: { reason: 'why it lost the writer lease' },
  },
  lease_released: { level: 'info', text: 'this server has released the writer lease, because it stops' },
  leader_followed: {
    level: 'info',
    text: 'another server is the leader, and this one follows',
    fields: { leader: 'the address at which followers reach it' },
  },
  server_listening: { level: 'info', text: 'the server listens', fields: { url: 'its address on this machine' } },
  metrics_served: { level: 'info', text: 'metrics are served', fields: { url: 'where Prometheus reads them' } },
  server_ready: {
    level: 'info',
    text: 'ready',
    fields: { url: 'its address', ms: 'time since the start, in milliseconds' },
  },
  part_failed: {
    level: 'warn',
    text: 'a part of the server has stopped working',
    fields: {
      part: 'a part of `/readyz`',
      state: '`failing`: this server takes no requests; `degraded`: all servers share the part',
    },
  },
  part_recovered: {
    level: 'info',
    text: 'a part of the server works again',
    fields: { part: 'a part of `/readyz`', seconds: 'how long it did not work' },
  },
  payments_booked: {
    level: 'info',
    text: 'payments of the chain are booked',
    fields: {
      block: 'the last block that is booked',
      credited: 'deposits that were credited',
      completed: 'transfers out that the vault has paid',
    },
  },
  watcher_progressed: {
    level: 'info',
    text: 'the watcher has read the chain',
    fields: { block: 'the last block that is booked', is_behind: 'whether more blocks are waiting to be read' },
  },
  job_late: {
    level: 'warn',
    text: 'a job is late',
    fields: { job: 'its name', seconds: 'how long it has been due', failures: 'failed attempts in a row' },
  },
  job_caught_up: { level: 'info', text: 'a job that was late has caught up', fields: { job: 'its name' } },
  operator_action_done: {
    level: 'info',
    text: 'a command of the operator is executed',
    fields: {
      action: 'its kind',
      id: 'its id in the audit log',
      reason: 'as the operator gave it',
      result: 'one sentence',
    },
  },
  operator_action_refused: {
    level: 'warn',
    text: 'a rule prevented a command of the operator: nothing changed',
    fields: { action: 'its kind', id: 'its id', reason: 'as the operator gave it', result: 'one sentence' },
  },
  alarm_raised: {
    level: 'warn',
    text: 'an alarm of severity warning; the message says more',
    fields: {
      alarm: 'the [kind of alarm](metrics.md#alarms)',
      task: 'the task that failed',
      trace_id: 'the `X-Trace-Id` of the request',
      repeats: REPEATS,
      err: 'the error with its stack; of a repetition, without it',
    },
  },
  critical_alarm_raised: {
    level: 'error',
    text: 'an alarm of severity critical; the message says more',
    fields: {
      alarm: 'the [kind of alarm](metrics.md#alarms)',
      task: 'the task that failed',
      trace_id: 'the `X-Trace-Id` of the request',
      repeats: REPEATS,
      err: 'the error with its stack; of a repetition, without it',
    },
  },
  request_answered: {
    level: 'info',
    text: 'a request is answered',
    fields: {
      call: 'the name of the call, `stream`, `other` or `page`',
      method: 'the HTTP method',
      status: 'the HTTP status',
      code: 'the code of the envelope, or the status where there is none',
      ms: 'time until the response, or the stream, ended, in milliseconds',
      client: 'the IPv4 address or the IPv6 network of the client',
      trace_id: 'the `X-Trace-Id` of the response',
    },
  },
  alarm_webhook_failed: {
    level: 'error',
    text: 'an alarm did not reach the webhook and is dropped; the list of alarms has it',
    fields: { id: 'the `webhook-id` of the message', reason: 'why the last attempt failed' },
  },
  server_stopping: {
    level: 'info',
    text: 'the server stops',
    fields: { drain_ms: 'how long it still takes requests while `/readyz` fails, in milliseconds' },
  },
  server_stopped: {
    level: 'info',
    text: 'the server has stopped',
    fields: { ms: 'how long it took, in milliseconds' },
  },
  stop_incomplete: {
    level: 'error',
    text: 'some parts did not stop in time',
    fields: { parts: 'their names' },
  },
  start_failed: { level: 'fatal', text: 'the server could not start', fields: { err: 'the error with its stack' } },
  process_failed: {
    level: 'fatal',
    text: 'an error that nothing has caught ends the process',
    fields: { source: '`uncaughtException` or `unhandledRejection`', err: 'the error with its stack' },
  },
})

export type PlatformEvents = typeof platformEvents
