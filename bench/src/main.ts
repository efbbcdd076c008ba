import { endOnSignals } from '../../scripts/run-command.ts'
import { BENCH_NAMES, loadBench } from './bench.ts'
import { cleanUp } from './clean-up.ts'

/** `npm run bench -- <name> [options]`: one performance figure beside that of its peer. */
endOnSignals(cleanUp)
const [name = '', ...args] = process.argv.slice(2)
if (BENCH_NAMES.includes(name)) {
  try {
    const bench = await loadBench(name)
    await bench.run(args)
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  } finally {
    await cleanUp()
  }
} else {
  const list = await Promise.all(BENCH_NAMES.map(async (each) => `  ${each}  ${(await loadBench(each)).about}`))
  console.log(`${name === '' ? 'Name a bench' : `There is no bench "${name}"`}. There are:\n${list.join('\n')}`)
  process.exitCode = 1
}
