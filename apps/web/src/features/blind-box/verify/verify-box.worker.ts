import type { Evidence } from './box-evidence.ts'
import type { CheckStep } from './check-step.ts'
import { verifyBox } from './verify-box.ts'

/** Verifies beside the page, so that a day of many boxes never stops a scroll. Loaded when one verifies. */
addEventListener('message', ({ data }: MessageEvent<Evidence>) => {
  const steps: CheckStep[] = verifyBox(data)
  postMessage(steps)
})
