import { requireJobName } from './job.ts'

/**
 * Work that the leader does every few seconds or more often, where rows say themselves that they are due. It keeps no
 * separate row: a leader that dies loses and repeats nothing, because the rows are still due, or no longer are.
 *
 * Which one to use: a job (`defineJob`) for a time of day, a period of minutes, or work in several steps that a restart must
 * not lose. A drain for rows that become due at any moment. `repeat` for what every server does, leader or not.
 */
export interface Drain {
  /** `<feature>.<what it does>`, for reports. */
  readonly name: string
  readonly everyMs: number
  /** Does everything that is due now. */
  readonly drain: () => Promise<void>
}

/**
 * Defines work that the leader does again and again.
 *
 * @example
 * const returnDeposits = defineDrain({
 *   name: 'tips.return-unclaimed',
 *   everyMs: 2_000,
 *   drain: drainRows({
 *     limit: 50,
 *     read: (limit) => store.unclaimed(clock.now(), limit),
 *     idOf: ({ id }) => id,
 *     act: (rows) => writer.execute(returnTips(rows)),
 *   }),
 * })
 */
export function defineDrain(drain: Drain): Drain {
  requireJobName(drain.name)
  return drain
}

/**
 * Acts on rows that are due, in batches, until no more are due. A row that is still due after its batch is left for the next
 * run.
 *
 * @param options.limit rows of one batch: few enough that their command does not hold the writer.
 */
export function drainRows<Row>({
  limit,
  read,
  idOf,
  act,
}: {
  readonly limit: number
  readonly read: (limit: number) => Promise<readonly Row[]>
  readonly idOf: (row: Row) => string
  readonly act: (rows: readonly Row[]) => Promise<unknown>
}): () => Promise<void> {
  return async () => {
    const seen = new Set<string>()
    for (;;) {
      const found = await read(limit)
      const rows = found.filter((row) => !seen.has(idOf(row)))
      if (rows.length === 0) return
      await act(rows)
      for (const row of rows) seen.add(idOf(row))
      if (found.length < limit) return
    }
  }
}
