import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest time that each test file has taken, in milliseconds. A run that ends at its first failure shows less. */
const longestMs = new Map<string, number>()

/**
 * Most mutants fail the short tests beside their file, and then no other test runs. By default Vitest starts the longest file first.
 */
class ShortestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    for (const file of files) {
      const durationMs = this.ctx.cache.getTestSpecificationResult(file)?.duration ?? 0
      longestMs.set(file.moduleId, Math.max(longestMs.get(file.moduleId) ?? 0, durationMs))
    }
    const msOf = ({ moduleId }: TestSpecification) => longestMs.get(moduleId) ?? 0
    return files.toSorted((a, b) => msOf(a) - msOf(b))
  }
}

/** The tests of one target, without the tags of rows. Fixed seeds and short waits: a mutant must fail for its own fault. */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    environment: 'node',
    include: (process.env.MUTATION_TESTS ?? '').split(','),
    isolate: false,
    sequence: { sequencer: ShortestFirst },
    setupFiles: [join(import.meta.dirname, 'start-tests.ts')],
    strictTags: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
