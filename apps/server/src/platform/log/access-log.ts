import type { AnsweredRequest } from '../http/observe-requests.ts'
import type { LogEvent } from './log.ts'
import type { PlatformEvents } from './platform-events.ts'

/** Returns the function that logs one line for each request. It never logs a path or a field that a client chose. */
export function createAccessLog(logEvent: LogEvent<PlatformEvents>): (request: AnsweredRequest) => void {
  return ({ call, method, status, code, elapsedMs, client, traceId }) =>
    logEvent('request_answered', {
      call,
      method,
      status,
      code,
      ms: Math.round(elapsedMs),
      client: client(),
      trace_id: traceId,
    })
}
