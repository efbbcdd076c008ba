import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { findOrFetchBrowser, HOW_TO_GET_CHROMIUM } from '../../scripts/browser.ts'
import { endOnSignals, secondsSince } from '../../scripts/run-command.ts'
import { startOwnServer } from '../own-server.ts'
import { type Choice, choose } from './choice.ts'
import { writeContactSheet } from './contact-sheet.ts'
import { preparePeople } from './people.ts'
import { STATES } from './states.ts'
import { type Shot, takeShots } from './take-shots.ts'

/** `npm run shots`: photographs the screens into one page. e2e/README.md names the options. */
const FOLDER = join(import.meta.dirname, '../contact-sheet')
/** Photographing mostly waits for the browser, so two states are photographed at a time. */
const STATES_AT_A_TIME = 2
/** Enough activity for every list and chart, and for a start within a minute. */
const DEMO = ['--demo', '--demo-users', '40', '--demo-days', '35']

const startedMs = performance.now()
const { isWhole, ...choice } = readChoice()
const browserPath = await findOrFetchBrowser()
if (browserPath === undefined) end(`There is no Chromium. ${HOW_TO_GET_CHROMIUM}`)
console.log('… starting a server and filling in demo data')
const server = await startOwnServer({}, DEMO)
// Playwright ends its browsers itself.
endOnSignals(() => server.stop())
process.env.E2E_PORT = new URL(server.baseURL).port
process.env.E2E_CHAIN_PORT = String(server.chainPort)
try {
  const shots = await photograph(choice)
  const file = await writeContactSheet(FOLDER, shots)
  console.log(`${shots.length} pictures in ${secondsSince(startedMs)}: ${file}`)
} finally {
  await server.stop()
}
process.exit(0)

async function photograph({ states, ...rest }: Choice): Promise<Shot[]> {
  const people = await preparePeople()
  await rm(FOLDER, { recursive: true, force: true })
  await mkdir(FOLDER, { recursive: true })
  const browser = await chromium.launch({
    ...(browserPath ? { executablePath: browserPath } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars'],
  })
  const waiting = [...states]
  const shots: Shot[] = []
  const takeNext = async () => {
    for (let state = waiting.shift(); state; state = waiting.shift()) {
      const taken = await takeShots(browser, { ...rest, state, people, folder: FOLDER, isWhole })
      console.log(`… ${STATES[state]}: ${taken.length} pictures (${secondsSince(startedMs)})`)
      shots.push(...taken)
    }
  }
  await Promise.all(Array.from({ length: STATES_AT_A_TIME }, takeNext))
  await browser.close()
  return shots
}

function readChoice(): Choice & { readonly isWhole: boolean } {
  const several = { type: 'string', multiple: true } as const
  const whole = { type: 'boolean', default: false } as const
  const options = { route: several, lang: several, mode: several, width: several, state: several, whole } as const
  try {
    const { whole: isWhole, ...words } = parseArgs({ options }).values
    return { ...choose(words), isWhole }
  } catch (error) {
    return end((error as Error).message)
  }
}

function end(message: string): never {
  console.error(message)
  process.exit(1)
}
