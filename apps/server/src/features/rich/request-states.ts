import type { OpenRequest, PassedRequest, WithdrawnRequest } from './rich.tables.ts'

/**
 * The changes of a request. Each takes an open one, so a request that has passed or was withdrawn cannot change any more:
 *
 * Requested → Passed, Withdrawn.
 */

/** A new request. Without an inviter the system is asked, which passes it immediately. */
export function newRequest(facts: {
  readonly id: string
  readonly userId: string
  readonly parentId: string | null
  readonly star: number
  readonly now: Date
  readonly passesAt: Date
}): OpenRequest | PassedRequest {
  const { id, userId, parentId, star, now, passesAt } = facts
  const request = { id, user_id: userId, star, created_at: now, is_announced: false }
  return parentId === null
    ? { ...request, parent_id: null, status: 'Passed', passes_at: null, passed_at: now, passed_by: 'system' }
    : { ...request, parent_id: parentId, status: 'Requested', passes_at: passesAt, passed_at: null, passed_by: null }
}

export function passRequest(request: OpenRequest, passedBy: 'parent' | 'system', now: Date): PassedRequest {
  return { ...request, status: 'Passed', passes_at: null, passed_at: now, passed_by: passedBy, is_announced: false }
}

/** No notice is sent: the requester did it. */
export function withdrawRequest(request: OpenRequest): WithdrawnRequest {
  return { ...request, status: 'Withdrawn', passes_at: null, is_announced: true }
}
