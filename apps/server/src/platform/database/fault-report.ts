import type { Report } from '../log/report.ts'

/** How often a fault that does not change is reported. */
const REPEAT_MS = 3_600_000

/** Returns a function that reports a fault of a task when it begins or changes, and once an hour while it lasts. */
export function createFaultReport({
  report,
  nowMs,
}: {
  readonly report: Report
  readonly nowMs: () => number
}): (task: string, fault: string | undefined) => void {
  const reported = new Map<string, { readonly fault: string; readonly atMs: number }>()
  return (task, fault) => {
    const last = reported.get(task)
    if (fault === last?.fault && (last === undefined || nowMs() - last.atMs < REPEAT_MS)) return
    reported.delete(task)
    if (fault === undefined) return
    reported.set(task, { fault, atMs: nowMs() })
    report(new Error(fault), task)
  }
}
