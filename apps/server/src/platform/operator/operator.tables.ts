import type { RowOf } from '@clearwell/ledger/table'
import { column, daysAfter, defineTable, defineWriterTable, forever, until } from '@clearwell/ledger/table'

/** The persons who may change something, each with a wallet address and roles. */
export const operatorPersons = defineWriterTable(
  'operator_persons',
  forever('the persons of the operator, also the former ones: the audit log names them'),
  {
    /** The address of the wallet that signs, in lower case. */
    id: column.text,
    name: column.text,
    /** With commas between them. */
    roles: column.text,
    since: column.time,
    ended_at: column.optional(column.time),
  },
)

export type PersonRow = RowOf<typeof operatorPersons>

/**
 * Requests of the operator's command line. It adds them; the leader decides those that enough persons have signed, and writes
 * `done_at`.
 */
export const operatorRequests = defineWriterTable(
  'operator_requests',
  daysAfter('the request was decided or expired', { days: 90, condition: 'done_at < $1' }),
  {
    id: column.text,
    kind: column.text,
    payload: column.text,
    reason: column.text,
    asked_at: column.time,
    /** The chain and the vault of the ledger that the request is for. */
    chain_id: column.text,
    vault: column.text,
    /** The leader ignores signatures from then on. */
    expires_at: column.time,
    done_at: column.optional(column.time),
    outcome: column.optional(column.oneOf(['done', 'refused', 'expired'])),
    /** One sentence. */
    result: column.optional(column.text),
  },
)

/** A request as the command line stores it. */
export type OperatorRequest = Omit<RowOf<typeof operatorRequests>, 'done_at' | 'outcome' | 'result'>

/** Signatures of requests. They do not name their signers: the leader recovers those. */
export const operatorSignatures = defineTable('operator_signatures', until('their request is deleted'), {
  request_id: column.text,
  signature: column.text,
  signed_at: column.time,
})

/** The audit log: every change by persons of the operator, and every look at an account. Append only. */
export const operatorActions = defineWriterTable(
  'operator_actions',
  forever('the audit log of the operator; a row for each change and each look at an account'),
  {
    id: column.text,
    kind: column.text,
    payload: column.withheld(column.text),
    reason: column.text,
    /** One sentence. */
    result: column.withheld(column.text),
    at: column.time,
    /** The persons who signed, as addresses; null for the first owners, whom the configuration names. */
    person: column.withheld(column.optional(column.text)),
    second_person: column.withheld(column.optional(column.text)),
    /** The role that the action needs. */
    role: column.optional(column.text),
    value_before: column.withheld(column.optional(column.text)),
    value_after: column.withheld(column.optional(column.text)),
    /** The rest of the signed statement, and the signatures in the order of the persons: anyone can verify them. */
    chain_id: column.withheld(column.optional(column.text)),
    vault: column.withheld(column.optional(column.text)),
    expires_at: column.withheld(column.optional(column.time)),
    signatures: column.withheld(column.optional(column.text)),
    /** The account that the action concerns, whose user sees it. */
    account: column.optional(column.user('apart')),
  },
)

export type ActionRow = RowOf<typeof operatorActions>
