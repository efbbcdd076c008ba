/**
 * Every n-th position of a kill, because each one costs the start of a process: the kinds of steps take turns, so all of them
 * are met. `npm run nightly` kills at every position.
 */
export function everyNth<Position>(positions: readonly Position[], n: number): Position[] {
  return positions.filter((_, index) => index % n === 0 || process.env.NIGHTLY === '1')
}
