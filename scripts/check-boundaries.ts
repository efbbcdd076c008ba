import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findCircles } from './boundaries/circles.ts'
import { faultOfFloor } from './boundaries/floors.ts'
import { isAllowed, longFunctionsIn } from './boundaries/function-length.ts'
import { importsOf, resolveImport } from './boundaries/imports.ts'
import { ledgerSqlIn } from './boundaries/ledger-sql.ts'
import { clocksIn, faultOfImport } from './boundaries/parts.ts'
import { productWordsIn } from './boundaries/product-words.ts'
import { type Fault, lineAt, type ParsedSource, parse, readSources, type Source } from './boundaries/sources.ts'

/**
 * Checks the architecture: imports between parts and between floors, import circles, clocks, SQL on the ledger's tables,
 * words of the product in the platform, and the length of functions.
 * It reads the syntax tree, so an import in a comment does not count and an import of a type does.
 */

export interface BoundaryReport {
  readonly files: number
  readonly imports: number
  readonly faults: readonly Fault[]
}

export function checkBoundaries(sources: readonly Source[]): BoundaryReport {
  const faults: Fault[] = []
  const graph = new Map<string, Set<string>>(sources.map(({ path }) => [path, new Set()]))
  let imports = 0
  for (const source of sources.map(parse)) {
    const found = importsOf(source)
    imports += found.length
    for (const { specifier } of found) {
      const target = specifier === undefined ? undefined : resolveImport(source.path, specifier)
      if (target === undefined || !graph.has(target)) continue
      graph.get(source.path)?.add(target)
    }
    faults.push(...faultsOf(source, found))
  }
  faults.push(...findCircles(graph).map(faultOfCircle))
  if (sources.length === 0) faults.push({ path: '.', line: 0, message: 'no file was read' })
  else if (imports === 0) faults.push({ path: '.', line: 0, message: 'no import was found' })
  return { files: sources.length, imports, faults }
}

function faultsOf(source: ParsedSource, imports: ReturnType<typeof importsOf>): Fault[] {
  const fault = (offset: number, message: string) => ({
    path: source.path,
    line: lineAt(source.text, offset),
    message,
  })
  const ofImports = imports.flatMap(({ specifier, offset }) => {
    const message =
      faultOfImport(source.path, specifier) ??
      (specifier === undefined ? undefined : faultOfFloor(source.path, specifier))
    return message === undefined ? [] : [fault(offset, message)]
  })
  return [
    ...source.errors.map((error) => fault(0, `cannot be parsed: ${error}`)),
    ...ofImports,
    ...clocksIn(source).map(({ name, offset }) =>
      fault(offset, `${name} is not allowed here: take time and randomness from a port`),
    ),
    ...ledgerSqlIn(source).map(({ table, offset }) =>
      fault(offset, `SQL on ${table}, a table of the ledger: use or add a read in packages/ledger`),
    ),
    ...productWordsIn(source).map(({ word, offset }) =>
      fault(
        offset,
        `"${word}" is a word of the product, which the platform does not know: move it to domain/ or a feature`,
      ),
    ),
    ...longFunctionsIn(source)
      .filter(({ name }) => !isAllowed(source.path, name))
      .map(({ name, offset, lines, maxLines }) =>
        fault(offset, `${name} is ${lines} lines long, and ${maxLines} are allowed: split it by ideas`),
      ),
  ]
}

function faultOfCircle(files: readonly string[]): Fault {
  return {
    path: files[0] ?? '.',
    line: 1,
    message: `is in an import circle: ${files.join(' → ')}. Move what both need into a file of its own, or pass it in as an argument.`,
  }
}

// ---- command line

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const report = checkBoundaries(readSources(join(import.meta.dirname, '..')))
  for (const { path, line, message } of report.faults) console.error(`${path}:${line} ${message}`)
  console.log(`${report.files} files, ${report.imports} imports, ${report.faults.length} faults`)
  process.exitCode = report.faults.length === 0 ? 0 : 1
}
