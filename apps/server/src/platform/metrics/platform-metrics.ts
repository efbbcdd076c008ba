import { CODES } from '@clearwell/api/codes'
import { ALARMS } from '../alarms/alarm-kinds.ts'
import { WEBHOOK_OUTCOMES } from '../alarms/alarm-webhook.ts'
import { NODE_OUTCOMES } from '../chain/node-transport.ts'
import { READ_SOURCES } from '../database/reads.ts'
import { defineMetrics } from './define-metrics.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** The statuses of envelopes, and those of files and pages. */
const STATUSES = [...new Set([...Object.values(CODES).map(({ http }) => http), 200, 304, 404])].toSorted().map(String)
const NODES = {
  about: '`primary`, `primary 2` and so on for the next addresses of `CHAIN_RPC_URL`, or `check`',
  values: ['primary', 'check'],
}

/** The metrics of the platform. Features add theirs in their manifests. */
export const platformMetrics = defineMetrics({
  clearwell_build_info: {
    type: 'gauge',
    help: '1, with the version of this server and a hash of its configuration file’s values.',
    labels: {
      version: 'the version of Clearwell',
      commit: 'the commit that the release was built from, or `source` where the server runs from its sources',
      node: 'the version of Node.js',
      config: 'the hash',
    },
  },
  clearwell_requests_total: {
    type: 'counter',
    help: 'Requests that got a response, by call and by the code of the response.',
    labels: {
      call: 'a call of the API; `stream`; `other` for unknown paths of the API; `page` for everything else',
      code: 'the code of the envelope, or the HTTP status where there is none',
    },
  },
  clearwell_http_responses_total: {
    type: 'counter',
    help: 'Responses by their HTTP status. Most refusals have the status 200.',
    labels: { status: { about: 'the HTTP status', values: STATUSES } },
  },
  clearwell_request_seconds: {
    type: 'histogram',
    help: 'Time from the arrival of a request to the end of its response, in seconds.',
    labels: { call: 'as above, without `stream`' },
    buckets: SECONDS,
  },
  clearwell_writer_leader: { type: 'gauge', help: '1 while this server holds the writer lease, else 0.' },
  clearwell_writer_queue_commands: { type: 'gauge', help: 'Commands that wait for a batch.' },
  clearwell_writer_batch_commands: {
    type: 'histogram',
    help: 'Commands in one batch.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024],
  },
  clearwell_writer_batch_seconds: {
    type: 'histogram',
    help: 'Time of one batch, in seconds.',
    labels: { stage: '`decide` in this process, or `write` in the database' },
    buckets: SECONDS,
  },
  clearwell_watcher_lag_blocks: {
    type: 'gauge',
    help: 'Blocks between the head of the chain and the last block whose payments are booked. The leader has it.',
  },
  clearwell_watcher_lag_seconds: {
    type: 'gauge',
    help: 'Age of the last block whose payments are booked, in seconds. The leader has it.',
  },
  clearwell_watcher_halted: { type: 'gauge', help: '1 while the watcher has halted, else 0.' },
  clearwell_breaker_open: {
    type: 'gauge',
    help: '1 while a breaker is open, else 0.',
    labels: { breaker: '`solvency`, or a pool' },
  },
  clearwell_alarms_total: {
    type: 'counter',
    help: 'Alarms that this server raised.',
    labels: { alarm: { about: 'a kind of alarm, see below', values: Object.keys(ALARMS) } },
  },
  clearwell_alarm_webhooks_total: {
    type: 'counter',
    help: 'Attempts to send an alarm to the webhook of the operator.',
    labels: {
      outcome: {
        about: '`sent`, `again` (it is tried again) or `dropped` (after the last attempt)',
        values: WEBHOOK_OUTCOMES,
      },
    },
  },
  clearwell_ready: {
    type: 'gauge',
    help: '1 while a part can serve, else 0: the same parts as in `/readyz`.',
    labels: {
      part: '`server`, `database`, `chain`, `watcher`, `market`, `ledger`, `features` or `push`; with a replica also `reads`',
    },
  },
  clearwell_stream_lag_seconds: {
    type: 'gauge',
    help: 'Time since the stream last read the ledger to its end, in seconds. Absent while no account listens.',
  },
  clearwell_stream_clients: { type: 'gauge', help: 'Open streams.' },
  clearwell_node_requests_total: {
    type: 'counter',
    help: 'HTTP requests to the chain’s nodes. One may carry many calls.',
    labels: {
      node: NODES,
      outcome: {
        about: '`ok`, `error` (the node responded with an error), `timeout` or `unreachable`',
        values: NODE_OUTCOMES,
      },
    },
  },
  clearwell_node_request_seconds: {
    type: 'histogram',
    help: 'Time of a request to a node, in seconds.',
    labels: { node: NODES },
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  clearwell_database_connections: {
    type: 'gauge',
    help: 'Connections to PostgreSQL, and requests that wait for one. Absent on PGlite.',
    labels: {
      pool: '`statements` or `commits`, and the same of the `writer`; `replica`',
      state: '`busy`, `idle` or `waiting`',
    },
  },
  clearwell_database_connections_allowed: {
    type: 'gauge',
    help: 'Connections that PostgreSQL allows to the servers of the ledger. Absent on PGlite.',
  },
  clearwell_database_connections_needed: {
    type: 'gauge',
    help: 'Connections that all servers of the ledger may open. Absent on PGlite.',
  },
  clearwell_database_standbys: { type: 'gauge', help: 'Connected standbys of PostgreSQL. Absent on PGlite.' },
  clearwell_database_synchronous: {
    type: 'gauge',
    help: '1 while commits wait for a synchronous standby, else 0. Absent on PGlite.',
  },
  clearwell_replica_lag_seconds: {
    type: 'gauge',
    help: 'How far the replica is behind, in seconds: 0 once it has what the primary had, else the age of what it has, to a second. Absent without a replica that answers.',
  },
  clearwell_replica_reads_total: {
    type: 'counter',
    help: 'Calls that only read the database, where there is a replica, by where they were served from.',
    labels: {
      source: {
        about: '`replica`; `replica_alone` while the primary is away; `primary` where the replica is away or behind',
        values: READ_SOURCES,
      },
    },
  },
  clearwell_database_table_rows: {
    type: 'gauge',
    help: 'Rows of a table, as PostgreSQL last estimated them.',
    labels: { table: 'a table' },
  },
  clearwell_database_table_bytes: {
    type: 'gauge',
    help: 'Size of a table without its indexes, as PostgreSQL last estimated it, in bytes.',
    labels: { table: 'a table' },
  },
  clearwell_job_overdue_seconds: {
    type: 'gauge',
    help: 'How long the oldest run of a job has been due, in seconds; 0 if none is.',
    // Not `job`: Prometheus names the servers by that label.
    labels: { name: 'a job' },
  },
  clearwell_job_failures: {
    type: 'gauge',
    help: 'Failures in a row of the current steps of a job.',
    labels: { name: 'a job' },
  },
})
