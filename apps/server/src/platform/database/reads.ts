/** Where reads were served from: the replica, the replica while the primary is away, or the primary instead of the replica. */
export const READ_SOURCES = ['replica', 'replica_alone', 'primary'] as const
export type ReadSource = (typeof READ_SOURCES)[number]

/** Serves calls that only read. */
export interface Reads {
  /** Runs a call that only reads: its statements may go to the replica, and see everything that was acknowledged before. */
  run<Result>(read: () => Promise<Result>): Promise<Result>
  /** True while reads go on from a replica, and writes cannot. */
  isPrimaryAway(): Promise<boolean>
}

/** Without a replica the primary serves everything. */
export const PRIMARY_READS: Reads = { run: (read) => read(), isPrimaryAway: async () => false }
