import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chooseFaults } from './faults/choose-faults.ts'
import { criticalFaults } from './faults/critical-faults.ts'
import { type Fault, findFaults } from './faults/find-faults.ts'
import { isHarmless } from './faults/harmless-faults.ts'
import { readSourceFiles } from './faults/syntax-tree.ts'
import { Workshop } from './faults/workshop.ts'

/**
 * Plants faults into the contracts of the vault with exits, one at a time, and prints which test notices each. Exits with 1
 * where none does. First come those chosen by hand, then those of a seed.
 *
 *     node vault/scripts/plant-faults.ts                      the faults chosen by hand, and as many more as 120 in all
 *     node vault/scripts/plant-faults.ts --count 20 --seed 7
 *     node vault/scripts/plant-faults.ts --only Settlement    those whose file, function or code has this word
 *     node vault/scripts/plant-faults.ts --from 30            continues after the first 30
 *     node vault/scripts/plant-faults.ts --directed           without the model, which is slow
 */
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    from: { type: 'string', default: '0' },
    directed: { type: 'boolean', default: false },
  },
})

const vault = join(import.meta.dirname, '..')
const files = readSourceFiles(join(vault, 'src/exit'))
const byRule = findFaults(files).filter((fault) => !isHarmless(fault))
const candidates = [...criticalFaults(files), ...chooseFaults(byRule, Number(values.seed))]
  .filter(isAsked)
  .slice(Number(values.from))

const workshop = new Workshop(vault)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    workshop.remove()
    process.exit(1)
  })
}
const missed: Fault[] = []
let tried = 0
try {
  workshop.prepare()
  console.log('| contract | line | function | fault | noticed by |\n|---|---|---|---|---|')
  for (const fault of candidates) {
    if (tried === Number(values.count)) break
    const source = files.find(({ name }) => name === fault.file)
    if (!source) throw new Error(`There is no ${fault.file}.`)
    const run = workshop.try(fault, source, { withModel: !values.directed })
    // Some edits leave code that the compiler refuses: no fault that could be deployed.
    if (run.kind === 'not compiled') continue
    tried++
    if (run.kind !== 'failed') missed.push(fault)
    console.log(
      rowOf(fault, run.kind === 'failed' ? run.test : run.kind === 'passed' ? '**nothing**' : '**not finished**'),
    )
  }
} finally {
  workshop.remove()
}
console.log(`\n${tried} faults, ${tried - missed.length} noticed, ${missed.length} missed`)
if (missed.length > 0 || tried === 0) process.exitCode = 1

function rowOf({ file, line, where, about }: Fault, noticedBy: string): string {
  return `| ${file} | ${line} | ${where} | \`${about.replaceAll('|', '\\|')}\` | ${noticedBy} |`
}

function isAsked({ file, where, about }: Fault): boolean {
  return `${file} ${where} ${about}`.includes(values.only ?? '')
}
