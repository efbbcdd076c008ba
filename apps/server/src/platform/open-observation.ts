import { hostname } from 'node:os'
import type { Environment } from '../config/environment.ts'
import { hashConfig } from '../config/hash-config.ts'
import type { AlarmWebhookAddress } from '../config/service-variables.ts'
import { type AlarmWebhook, createAlarmWebhook } from './alarms/alarm-webhook.ts'
import { type Alarms, createAlarms } from './alarms/alarms.ts'
import type { AnsweredRequest } from './http/observe-requests.ts'
import { createAccessLog } from './log/access-log.ts'
import type { Log, LogEvent } from './log/log.ts'
import { type PlatformEvents, platformEvents } from './log/platform-events.ts'
import { createReport, type Report } from './log/report.ts'
import { secretRemover } from './log/secrets.ts'
import type { PlatformRecorder } from './metrics/collect-platform.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { observePlatform, type PlatformObserver } from './metrics/observe-platform.ts'
import { platformMetrics } from './metrics/platform-metrics.ts'
import { BUILD, VERSION } from './process/version.ts'
import { systemClock } from './time/clock.ts'

/** How operators see the server from outside. It exists before anything else is opened. */
export interface Observation {
  readonly log: Log
  /** Writes the platform's events. */
  readonly logEvent: LogEvent<PlatformEvents>
  readonly alarms: Alarms
  /** Absent: alarms are sent nowhere. */
  readonly webhook: AlarmWebhook | undefined
  readonly report: Report
  readonly metrics: Metrics
  readonly recorder: PlatformRecorder
  readonly observer: PlatformObserver
}

/** @param options.observe receives bugs and alarms beside the log, for tests. */
export function openObservation(
  config: { readonly env: Environment },
  { log, observe }: { log: Log; observe: Report | undefined },
): Observation {
  const { env } = config
  const metrics = createMetrics()
  const recorder = metrics.add(platformMetrics)
  const observer = observePlatform(recorder)
  const build = { version: VERSION, commit: BUILD.commit, node: process.version, config: hashConfig(config) }
  recorder.set('clearwell_build_info', [{ labels: build, value: 1 }])
  const logEvent = log.events(platformEvents)
  const webhook = env.alarmWebhook && openWebhook(env.alarmWebhook, { logEvent, observer })
  const alarms = createAlarms({
    now: systemClock.now,
    redact: secretRemover(env),
    onRaised(alarm) {
      observer.onAlarm(alarm)
      webhook?.send(alarm)
    },
  })
  const report = createReport({ logEvent, alarms, observe })
  const logAccess = env.accessLog ? createAccessLog(logEvent) : undefined
  const onAnswered = (request: AnsweredRequest) => {
    observer.onAnswered(request)
    logAccess?.(request)
  }
  return { log, logEvent, alarms, webhook, report, metrics, recorder, observer: { ...observer, onAnswered } }
}

function openWebhook(
  address: AlarmWebhookAddress,
  { logEvent, observer }: Pick<Observation, 'logEvent' | 'observer'>,
): AlarmWebhook {
  const origin = { version: VERSION, host: hostname() }
  return createAlarmWebhook({ address, origin, logEvent, onOutcome: observer.onWebhook })
}
