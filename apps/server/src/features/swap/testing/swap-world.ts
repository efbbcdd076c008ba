import type { TestServer, TestUser } from '../../../testing/server.ts'

export const FEES = { totalBps: 25n, revenueBps: 8n }

/** The server that the tests of swaps share, and two activated traders with 490 USDT and 2 BNB each. */
export interface SwapWorld {
  readonly server: TestServer
  readonly trader: TestUser
  /** Was invited by the first. */
  readonly invited: TestUser
}
