import type { OpenRequest, PassedRequest, WithdrawnRequest } from './rich.tables.ts'

/**
 * The changes of a request. Each takes an open one, so a request that has passed or was withdrawn cannot change any more:
 *
 * Requested → Requested (another ancestor is asked), Passed, Withdrawn.
 */

/** A new request. Without an inviter the system is asked, which passes it immediately. */
export function newRequest(facts: {
  readonly id: string
  readonly userId: string
  readonly parentId: string | null
  readonly star: number
  readonly now: Date
  readonly passesUpAt: Date
}): OpenRequest | PassedRequest {
  const { id, userId, parentId, star, now, passesUpAt } = facts
  const request = { id, user_id: userId, parent_id: parentId, star, created_at: now, moves: 0, is_announced: false }
  return parentId === null
    ? { ...request, status: 'Passed', asked_id: null, passes_up_at: null, passed_at: now }
    : { ...request, status: 'Requested', asked_id: parentId, passes_up_at: passesUpAt, passed_at: null }
}

/** @param passedBy a user; null: the system. */
export function passRequest(request: OpenRequest, passedBy: string | null, now: Date): PassedRequest {
  return { ...request, status: 'Passed', asked_id: passedBy, passes_up_at: null, passed_at: now, is_announced: false }
}

export function askNext(request: OpenRequest, ancestor: string, passesUpAt: Date): OpenRequest {
  return {
    ...request,
    asked_id: ancestor,
    passes_up_at: passesUpAt,
    moves: request.moves + 1,
    is_announced: false,
  }
}

/** No notice is sent: the requester did it. */
export function withdrawRequest(request: OpenRequest): WithdrawnRequest {
  return { ...request, status: 'Withdrawn', passes_up_at: null, is_announced: true }
}
