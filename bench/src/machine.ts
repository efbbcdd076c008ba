import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

/** One line about the machine, for the head of a bench: figures mean little without it. */
export function machine(): string {
  const [cpu] = cpus()
  const gib = (totalmem() / 2 ** 30).toFixed(0)
  const load = loadavg()[0]?.toFixed(1)
  return `${availableParallelism()} cores (${cpu?.model}), ${gib} GiB, Node ${process.version}; load before: ${load}.`
}
