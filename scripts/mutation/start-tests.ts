import fc from 'fast-check'

/**
 * Runs before each test file of a target. A fixed seed, so that the same mutants survive in every run. A failed property ends at
 * its first example: looking for the smallest one takes up to a thousand more, for every mutant that it notices.
 * Lists are as long as in every run: see `../random-tests.ts`.
 */
fc.configureGlobal({ seed: 1, endOnFailure: true, defaultSizeToMaxWhenMaxSpecified: true })
