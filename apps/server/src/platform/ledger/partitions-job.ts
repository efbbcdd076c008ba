import { addPartitions } from '@clearwell/ledger/partitions'
import { defineJob } from '../jobs/job.ts'

/** The job that adds the ledger's next partitions. Two are empty at any time: more than ten minutes can fill. */
export const partitionsJob = defineJob<null, null>({
  name: 'ledger.partitions',
  recurs: { everyMs: 600_000 },
  async step(tx) {
    await addPartitions(tx)
    return 'done'
  },
})
