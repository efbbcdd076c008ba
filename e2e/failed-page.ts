import { readFileSync } from 'node:fs'
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'

const MAX_LENGTH = 6_000

/** Prints what the page showed when a test failed: on another machine the output is all that remains of a run. */
export default class FailedPage implements Reporter {
  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status === test.expectedStatus || result.status === 'skipped') return
    const context = result.attachments.find(({ name }) => name === 'error-context')
    if (!context?.path) return
    const text = readFileSync(context.path, 'utf8')
    const page = text.slice(text.indexOf('# Error details'), text.indexOf('# Test source'))
    console.log(`\n${test.title}:\n${page.slice(0, MAX_LENGTH)}`)
  }

  printsToStdio(): boolean {
    return false
  }
}
