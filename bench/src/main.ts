import { endOnSignals } from '../../scripts/run-command.ts'
import { cleanUp } from './clean-up.ts'
import { benchDay } from './day.ts'
import { benchHistory } from './history.ts'
import { benchLoans } from './loans.ts'
import { benchPlans } from './plans.ts'
import { benchPoll } from './poll.ts'
import { benchRelease } from './release.ts'
import { benchSwap } from './swap.ts'
import { benchTeam } from './team.ts'
import { benchWeb } from './web.ts'

/** `npm run bench -- <name> [options]`: one performance figure beside that of its peer. */
const BENCHES: Readonly<Record<string, { readonly about: string; run(args: string[]): Promise<void> }>> = {
  swap: {
    about:
      'swaps per second through HTTP on one pool, beside pgbench TPC-B (--clients 1,16,64,256, --seconds 6, --only pglite, --old-rows 1000000 to delete meanwhile)',
    run: benchSwap,
  },
  poll: {
    about:
      'users that one core sustains who look at a market: by stream, by polling, by asking the database (--clients 2000, --seconds 20, --changes 60 a minute)',
    run: benchPoll,
  },
  history: {
    about:
      'the worst queries of every list call on accounts with a million entries, beside the same rows by primary key (--entries 1000000, --seconds 3)',
    run: benchHistory,
  },
  loans: {
    about:
      'time of a price change and of each command with few and with many open loans, on both databases (--small 1000, --large 100000, --rounds 60, --only pglite)',
    run: benchLoans,
  },
  day: {
    about:
      'cost of a box at the close of a day of 1,000 and of 1,000,000 boxes, memory, and the longest time that a command holds the writer (--small 1000, --large 1000000)',
    run: benchDay,
  },
  plans: {
    about:
      'a swap that reaches no limit with no plans and with many, and schedules that are due together (--plans 100000, --due 1000, --swaps 2000)',
    run: benchPlans,
  },
  release: {
    about:
      'calls and jobs of the upgrade hub in a line of inviters beside a flat team; a daily release of RT and a collection with few and with many accounts, beside a release that writes to each account (--small 1000, --large 1000000, --days 200)',
    run: benchRelease,
  },
  team: {
    about:
      'reads, joins and activations in a line of 1,000,000 members beside a flat team, and in teams of 1,000 and of 1,000,000 members, both 1,000 deep, equal to a recount (--small 1000, --large 1000000, --rounds 100, --only shapes or sizes)',
    run: benchTeam,
  },
  web: {
    about:
      'home in Lighthouse mobile, beside a page of bare Preact and one of wagmi and RainbowKit; the layout shift of every screen and the responses of the swap screen (--rounds 5, --throttling simulate|devtools, --only paint|feel, --json <file>)',
    run: benchWeb,
  },
}

endOnSignals(cleanUp)
const [name = '', ...args] = process.argv.slice(2)
const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined
if (bench) {
  try {
    await bench.run(args)
  } catch (error) {
    console.error(error)
    process.exitCode = 1
  } finally {
    await cleanUp()
  }
} else {
  const list = Object.entries(BENCHES).map(([each, { about }]) => `  ${each}  ${about}`)
  console.log(`${name === '' ? 'Name a bench' : `There is no bench "${name}"`}. There are:\n${list.join('\n')}`)
  process.exitCode = 1
}
