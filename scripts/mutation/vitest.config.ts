import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** The tests of one target, without the tags of rows. Fixed seeds and short waits: a mutant must fail for its own fault. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    environment: 'node',
    include: (process.env.MUTATION_TESTS ?? '').split(','),
    isolate: false,
    strictTags: false,
    testTimeout: 60_000,
  },
})
