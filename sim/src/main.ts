import { simEconomy } from './economy/economy.ts'
import { simLending } from './lending/lending.ts'
import { simShocks } from './shocks/shocks.ts'

/** `npm run sim -- <name> [options]`: a simulation of the money rules. Exits with 1 where a rule does not hold. */
const SIMULATIONS: Readonly<Record<string, { readonly about: string; run(args: string[]): Promise<void> | void }>> = {
  economy: {
    about:
      'honest users and one attacker with each known strategy, on the real rules and commands; prints what each strategy gains (--runs 1000, --seed 1, --only <text>)',
    run: simEconomy,
  },
  lending: {
    about:
      'a million random sequences of lending commands against nine properties; prints the largest gain of an attacker (--sequences 1000000, --seed 1, --only <name>)',
    run: simLending,
  },
  shocks: {
    about:
      'losses of pledgers on price paths with jumps from -90 % to +900 %, beside Aave v3, with every step checked (--paths 10000, --seed 1)',
    run: simShocks,
  },
}

const [name = '', ...args] = process.argv.slice(2)
const simulation = Object.hasOwn(SIMULATIONS, name) ? SIMULATIONS[name] : undefined
if (simulation) {
  try {
    await simulation.run(args)
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  }
} else {
  const list = Object.entries(SIMULATIONS).map(([each, { about }]) => `  ${each}  ${about}`)
  console.log(
    `${name === '' ? 'Name a simulation' : `There is no simulation "${name}"`}. There are:\n${list.join('\n')}`,
  )
  process.exitCode = 1
}
