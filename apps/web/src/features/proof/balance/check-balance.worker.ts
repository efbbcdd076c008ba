import { type Evidence, verifyBalance } from '@clearwell/verify/verify-balance'

/** Verifies beside the page, so that many rows never stop a scroll. Loaded when a balance is checked. */
addEventListener('message', ({ data: { evidence, rows } }: MessageEvent<{ evidence: Evidence; rows: string }>) => {
  const lines = rows.split('\n').slice(0, -1)
  const verified = verifyBalance(evidence, lines, (step) => postMessage({ step }))
  // A rejected promise alone would not reach the page.
  verified.then((result) => postMessage({ result }), reportError)
})
