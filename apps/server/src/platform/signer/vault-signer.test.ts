import { beforeEach, expect, test } from 'vitest'
import { createVaultSigner } from './vault-signer.ts'

const MAX_AGE_MS = 5_000
const START_MS = Date.parse('2026-11-30T09:00:00Z')

let nowMs: number
/** Responses of the node, oldest first. */
let answers: (() => Promise<string>)[]
let questions: number

beforeEach(() => {
  nowMs = START_MS
  answers = []
  questions = 0
})

function open() {
  const vaultState = async () => {
    const answer = answers[questions++]
    if (!answer) return expect.unreachable('the node is asked too often')
    return { isPaused: false, signer: await answer() }
  }
  return createVaultSigner({ chain: { vaultState }, clock: { now: () => new Date(nowMs) } })
}

const says = (signer: string) => async () => signer

test('a reading is used for five seconds', async () => {
  answers = [says('0xa'), says('0xb')]
  const signer = open()
  expect(await signer.read()).toBe('0xa')
  nowMs = START_MS + MAX_AGE_MS - 1
  expect([await signer.read(), questions]).toEqual(['0xa', 1])
  nowMs = START_MS + MAX_AGE_MS
  expect([await signer.read(), questions]).toEqual(['0xb', 2])
})

test('a clock that was moved back makes a reading old', async () => {
  answers = [says('0xa'), says('0xb')]
  const signer = open()
  await signer.read()
  nowMs = START_MS - MAX_AGE_MS
  expect([await signer.read(), questions]).toEqual(['0xb', 2])
})

test('a reading that was made for another reason asks the node nothing', async () => {
  answers = [says('0xb')]
  const signer = open()
  signer.set('0xa')
  expect([await signer.read(), questions]).toEqual(['0xa', 0])
  nowMs += MAX_AGE_MS
  expect([await signer.read(), questions]).toEqual(['0xb', 1])
})

test('a node that fails is asked again after five seconds', async () => {
  const fails = async () => {
    throw new Error('connection refused')
  }
  answers = [fails, says('0xa'), fails, says('0xb')]
  const signer = open()
  expect([await signer.read(), await signer.read(), questions]).toEqual([undefined, undefined, 1])
  nowMs += MAX_AGE_MS
  expect([await signer.read(), questions]).toEqual(['0xa', 2])
  nowMs += MAX_AGE_MS
  expect([await signer.read(), await signer.read(), questions]).toEqual(['0xa', '0xa', 3])
  nowMs += MAX_AGE_MS
  expect([await signer.read(), questions]).toEqual(['0xb', 4])
})

test('callers wait a second together for a node that does not respond', async () => {
  let respond: (signer: string) => void = () => {}
  answers = [() => new Promise((resolve) => (respond = resolve))]
  const signer = open()
  expect([await Promise.all([signer.read(), signer.read()]), questions]).toEqual([[undefined, undefined], 1])
  respond('0xa')
  expect([await signer.read(), questions]).toEqual(['0xa', 1])
})
