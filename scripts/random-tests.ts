import fc from 'fast-check'

/**
 * Runs before the files of random tests. Without it a list of at most 120 has rarely more than ten: fast-check takes the most that
 * is named for a limit, not for a size.
 */
fc.configureGlobal({ defaultSizeToMaxWhenMaxSpecified: true })
