import { globSync } from 'node:fs'

/** A performance figure beside that of its peer: the default export of `<name>.bench.ts`. */
export interface Bench {
  /** The figure that it measures, and its options. */
  readonly about: string
  readonly run: (args: string[]) => Promise<void>
}

const SUFFIX = '.bench.ts'

/** The names of all benches: the files of this folder are the only list. */
export const BENCH_NAMES: readonly string[] = globSync(`*${SUFFIX}`, { cwd: import.meta.dirname })
  .map((file) => file.slice(0, -SUFFIX.length))
  .toSorted()

/** @throws Error if the file exports no bench. */
export async function loadBench(name: string): Promise<Bench> {
  const { default: bench } = (await import(`./${name}.bench.ts`)) as { readonly default?: Bench }
  if (!bench) throw new Error(`bench/src/${name}.bench.ts has no default export: see Bench`)
  return bench
}
