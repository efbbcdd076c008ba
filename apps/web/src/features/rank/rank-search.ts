import { BOARDS, type Board, PERIODS, type Period } from './rank.queries.ts'

/** The board that a path asks for. */
export interface RankSearch {
  readonly board?: Board
  readonly period?: Period
}

/** `?board=volume&period=week` shows a board, so that a link to it can be shared. */
export function readRank({ board, period }: Record<string, unknown>): RankSearch {
  return {
    ...(isOneOf(BOARDS, board) ? { board } : {}),
    ...(isOneOf(PERIODS, period) ? { period } : {}),
  }
}

function isOneOf<Value extends string>(values: readonly Value[], value: unknown): value is Value {
  return (values as readonly unknown[]).includes(value)
}
