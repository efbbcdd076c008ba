/** A part of the server that must work before it can serve. */
export interface ReadinessPart {
  readonly name: string
  /** Asks the part itself. A rejection or a silence counts as a failure. */
  readonly probe?: () => Promise<unknown>
  /** The part counts as working until its probe has failed for this long without a success. Absent: the first failure counts. */
  readonly patienceMs?: number
  /** Reads a state that is known without asking. */
  readonly isOk?: () => boolean
  /**
   * All servers share this part, so its failure makes each of them degraded, and none not ready: a load balancer would take
   * all of them away.
   */
  readonly isShared?: true
}

export type PartState = 'ok' | 'degraded' | 'failing'

/** Longer than a healthy database or node needs, and short enough for a load balancer. */
const PROBE_MS = 1_000
/** A result is used for this long, so that readiness costs the same however often it is asked for. */
const FRESH_MS = 1_000

export interface Readiness {
  /** Each part with its state, in bounded time. */
  check(): Promise<ReadonlyMap<string, PartState>>
}

/** Checks all parts in parallel. A probe that hangs is not started a second time. */
export function createReadiness(
  parts: readonly ReadinessPart[],
  { probeMs = PROBE_MS, freshMs = FRESH_MS } = {},
): Readiness {
  const checks = parts.map(({ name, probe, patienceMs = 0, isOk, isShared }) => {
    const runProbe = probe && patient(probing(probe, { probeMs, freshMs }), patienceMs)
    return async (): Promise<[string, PartState]> => {
      const isWorking = (isOk?.() ?? true) && (!runProbe || (await runProbe()))
      return [name, isWorking ? 'ok' : isShared ? 'degraded' : 'failing']
    }
  })
  return {
    async check() {
      return new Map(await Promise.all(checks.map((check) => check())))
    },
  }
}

/** Reports a failure only once it has lasted. */
function patient(isOk: () => Promise<boolean>, patienceMs: number): () => Promise<boolean> {
  let failingSinceMs: number | undefined
  return async () => {
    if (await isOk()) failingSinceMs = undefined
    else failingSinceMs ??= performance.now()
    return failingSinceMs === undefined || performance.now() - failingSinceMs < patienceMs
  }
}

function probing(
  probe: () => Promise<unknown>,
  { probeMs, freshMs }: { probeMs: number; freshMs: number },
): () => Promise<boolean> {
  let isOk = false
  let checkedMs = Number.NEGATIVE_INFINITY
  let running: Promise<boolean> | undefined
  let startedMs = 0

  function start(): Promise<boolean> {
    startedMs = performance.now()
    const outcome = probe().then(
      () => true,
      () => false,
    )
    running = outcome
    void outcome.then((result) => {
      isOk = result
      checkedMs = performance.now()
      running = undefined
    })
    return outcome
  }

  return async () => {
    if (!running && performance.now() - checkedMs < freshMs) return isOk
    const outcome = running ?? start()
    const leftMs = probeMs - (performance.now() - startedMs)
    if (leftMs <= 0) return false
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), leftMs)
    })
    const result = await Promise.race([outcome, late])
    clearTimeout(timer)
    return result
  }
}
