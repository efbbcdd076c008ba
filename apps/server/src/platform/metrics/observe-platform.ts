import type { WrittenBatch } from '@clearwell/ledger/writer'
import type { WebhookOutcome } from '../alarms/alarm-webhook.ts'
import type { RaisedAlarm } from '../alarms/alarms.ts'
import type { NodeLabel } from '../chain/connect-chain.ts'
import { NODE_OUTCOMES, type ObserveNode } from '../chain/node-transport.ts'
import type { AnsweredRequest } from '../http/observe-requests.ts'
import type { PlatformRecorder } from './collect-platform.ts'

/** Counts what the parts of the platform report while they work. */
export interface PlatformObserver {
  readonly onAnswered: (request: AnsweredRequest) => void
  readonly onBatch: (batch: WrittenBatch) => void
  readonly onAlarm: (alarm: Pick<RaisedAlarm, 'kind'>) => void
  readonly onWebhook: (outcome: WebhookOutcome) => void
  readonly observeNode: (node: NodeLabel) => ObserveNode
}

export function observePlatform(recorder: PlatformRecorder): PlatformObserver {
  return {
    onAnswered({ call, code, status, seconds }) {
      recorder.count('clearwell_http_responses_total', { status: String(status) })
      recorder.count('clearwell_requests_total', { call, code: String(code) })
      if (seconds !== undefined) recorder.observe('clearwell_request_seconds', { call }, seconds)
    },
    onBatch({ commands, decideMs, writeMs }) {
      recorder.observe('clearwell_writer_batch_commands', {}, commands)
      recorder.observe('clearwell_writer_batch_seconds', { stage: 'decide' }, decideMs / 1000)
      recorder.observe('clearwell_writer_batch_seconds', { stage: 'write' }, writeMs / 1000)
    },
    onAlarm: ({ kind }) => recorder.count('clearwell_alarms_total', { alarm: kind }),
    onWebhook: (outcome) => recorder.count('clearwell_alarm_webhooks_total', { outcome }),
    observeNode(node) {
      // How many nodes there are is not known before: their counters start here.
      for (const outcome of NODE_OUTCOMES) recorder.count('clearwell_node_requests_total', { node, outcome }, 0)
      return (outcome, seconds) => {
        recorder.count('clearwell_node_requests_total', { node, outcome })
        recorder.observe('clearwell_node_request_seconds', { node }, seconds)
      }
    },
  }
}
