/**
 * Every alarm with its level and meaning. `alarm`: leave, or act today. `warning`: look into it. `notice`: a public act, to be compared
 * with what the operator has announced.
 */
export const ALARMS = {
  hash_wrong: ['alarm', 'the fields of a header do not have its hash'],
  signature_wrong: ['alarm', 'a header is not signed by a root key and a bookkeeper of the vault'],
  forked_header: ['alarm', 'there are two headers with one number'],
  header_gap: ['alarm', 'a header does not follow the one before'],
  header_falls: ['alarm', 'a figure of a header that must not fall is lower than before'],
  header_of_left: ['alarm', 'a header is of a vault that the ledger has left'],
  header_withheld: [
    'alarm',
    'a young header comes without its fields: a bookkeeper refused it, or the server hides it',
  ],
  proof_data_wrong: ['alarm', 'the stored proof data do not have the hash in the header'],
  refusal: ['alarm', 'a bookkeeper has refused a header'],
  root_denied: ['alarm', 'a root is on the chain, and the sources do not have its header'],
  vault_short: ['alarm', 'the vault holds less of an asset than it owes'],
  roots_stopped: ['alarm', 'no root for 24 hours: the vault takes no deposit and pays no voucher'],
  successor: ['alarm', 'the owner has announced where all money may go'],
  end_started: ['alarm', 'the end of the vault has begun'],
  ended: ['alarm', 'the vault has ended: everyone can claim'],
  moved: ['alarm', 'money has moved to the successor, and the vault is closed'],
  roots_dropped: ['alarm', 'the owner has voided posted roots'],
  owner: ['alarm', 'the vault gets another owner'],
  paused: ['alarm', 'the vault is paused'],
  roots_late: ['warning', 'no root for 2 hours'],
  headers_late: ['warning', 'no header younger than 2 hours'],
  key_added: ['warning', 'a key is announced'],
  guardian: ['warning', 'another guardian is announced or in office'],
  limits_raised: ['warning', 'higher limits are announced'],
  source_malformed: ['warning', 'a source has sent a line that cannot be read'],
  source_away: ['warning', 'a source cannot be read'],
  node_away: ['warning', 'the node cannot be read'],
  money_behind: ['warning', 'money that the vault owes is still at a vault that the ledger has left'],
  node_behind: ['warning', 'the newest block of the node is old'],
  post_failed: ['warning', 'a header could not be posted'],
  key_removed: ['notice', 'a key no longer counts'],
  limits_set: ['notice', 'limits have changed'],
  asset: ['notice', 'an asset is announced'],
  moved_on: ['notice', 'money has moved to the next vault, which is watched too'],
  refused_at_move: ['notice', 'a bookkeeper did not sign the last header before a move'],
  unpaused: ['notice', 'the pause has ended'],
} as const satisfies Record<string, readonly [level: 'alarm' | 'warning' | 'notice', meaning: string]>

export type AlarmCode = keyof typeof ALARMS

/** A fact that has to be reported once. */
export interface Finding {
  /** The same fact has the same key. */
  readonly key: string
  readonly code: AlarmCode
  /** One sentence for a person. */
  readonly text: string
  /** Figures and evidence, as JSON. */
  readonly facts?: Readonly<Record<string, unknown>>
}
