/** The parts of Stryker's report that we read (mutation-testing-report-schema). */
export interface StrykerReport {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly ReportedMutant[] }>>
}

interface ReportedMutant {
  readonly mutatorName: string
  readonly replacement?: string
  readonly status: string
  readonly location: { readonly start: Position; readonly end: Position }
}

/** Lines and columns begin at 1. */
interface Position {
  readonly line: number
  readonly column: number
}

/** A mutant, described by its place and its change. */
export interface Survivor {
  readonly file: string
  readonly line: number
  /** The code, and what stood in its place. */
  readonly from: string
  readonly to: string
}

export interface FileScore {
  readonly file: string
  readonly noticed: number
  /** Those of the noticed whose tests did not end in time: loops without an end, or a machine that was too busy. */
  readonly timedOut: readonly Survivor[]
  readonly survivors: readonly Survivor[]
}

const NOTICED = ['Killed', 'Timeout']
const SURVIVED = ['Survived', 'NoCoverage']

/** The score of each file. Mutants that cannot run, run once when the file is loaded, or change only a hint count for nothing. */
export function readReport({ files }: StrykerReport): FileScore[] {
  return Object.entries(files)
    .map(([file, { source, mutants: all }]) => ({
      file,
      source,
      mutants: all.filter((each) => !isInHint(source, each)),
    }))
    .map(({ file, source, mutants }) => ({
      file,
      noticed: mutants.filter(({ status }) => NOTICED.includes(status)).length,
      timedOut: mutants.filter(({ status }) => status === 'Timeout').map((each) => describeMutant(file, source, each)),
      survivors: mutants
        .filter(({ status }) => SURVIVED.includes(status))
        .map((each) => describeMutant(file, source, each)),
    }))
    .toSorted((a, b) => a.file.localeCompare(b.file))
}

function describeMutant(
  file: string,
  source: string,
  { location, replacement, mutatorName }: ReportedMutant,
): Survivor {
  return {
    file,
    line: location.start.line,
    from: oneLine(codeAt(source, location)),
    to: oneLine(replacement ?? mutatorName),
  }
}

/** Of all mutants that ran, in percent, rounded down. */
export function percentOf(scores: readonly FileScore[]): number {
  const noticed = scores.reduce((sum, score) => sum + score.noticed, 0)
  const all = noticed + scores.reduce((sum, { survivors }) => sum + survivors.length, 0)
  return all === 0 ? 100 : Math.floor((noticed * 1_000) / all) / 10
}

/**
 * A command's `preload` only saves round trips: the writer loads what is missing, and no decision can depend on it. So do functions
 * that list keys for it.
 */
function isInHint(source: string, { location: { start } }: ReportedMutant): boolean {
  const lines = source.split('\n')
  const at = start.line - 1
  const first = lines.slice(0, at + 1).findLastIndex((line) => HINT.test(line))
  return first !== -1 && at <= lastLineOf(lines, first)
}

const HINT = /^\s+preload: |^(?:export )?function \w+\(.*\): StateKey\[\] \{$|^\}: .*\): StateKey\[\] \{$/

/** The last line of what begins on a line: before the next one that is not further in, or its closing bracket. */
function lastLineOf(lines: readonly string[], first: number): number {
  const indentOf = (line: string) => line.length - line.trimStart().length
  const indent = indentOf(lines[first] ?? '')
  const next = lines.findIndex((line, at) => at > first && line.trim() !== '' && indentOf(line) <= indent)
  return /^\s*[\])}]/.test(lines[next] ?? '') ? next : next - 1
}

function codeAt(source: string, { start, end }: ReportedMutant['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line)
  const last = lines.length - 1
  return lines
    .map((line, index) => line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined))
    .join('\n')
}

function oneLine(code: string): string {
  return code.replaceAll(/\s+/g, ' ').trim()
}
